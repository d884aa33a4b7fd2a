const list = `
password passw0rd password! password1 password2 password12 password123 password1234 password12345 p@ssw0rd p@ssword
pa$$word pa55word passwort password01 password99 passwords mypassword newpassword password1! password123! p@ssw0rd1
p@ssw0rd123 passw0rd1 passw0rd123 12345678 123456789 1234567890 12345678910 0123456789 987654321 9876543210 0987654321
87654321 123123123 12341234 11223344 1122334455 12121212 123321123 147258369 159357456 741852963 789456123 456789123
123456abc 1234abcd 12345abc 123abc123 abc12345 abcd1234 abc123456 abcdefgh abcdefg1 a1b2c3d4 a1234567 a12345678
a123456789 aa123456 aa12345678 q1w2e3r4 q1w2e3r4t5 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qazxsw2 qazwsxedc zaq12wsx qwer1234
qwerty12 qwerty123 qwerty1234 qwerty12345 qwertyui qwertyuiop 1234qwer 123qweasd qweasdzxc asdfghjk asdfghjkl asdf1234
zxcvbnm1 zxcvbnm123 iloveyou iloveyou1 iloveyou2 ilovejesus loveyou1 sunshine sunshine1 princess princess1 football
football1 baseball baseball1 basketball liverpool liverpool1 arsenal1 chelsea1 manchester manutd123 superman superman1
batman123 spiderman pokemon1 starwars minecraft computer internet whatever trustno1 jennifer michelle jonathan michael1
jessica1 ashley12 charlie1 danielle samantha victoria alexander jesus123 jesuschrist blessing blessed1 godisgood
godisgreat emmanuel christian nigeria1 lagos123 welcome1 welcome12 welcome123 welcome@123 letmein1 letmein123 admin123
admin1234 admin@123 administrator changeme changeme1 changeme123 default1 secret123 test1234 testing1 testing123 master123
dragon12 dragon123 monkey12 monkey123 shadow12 shadow123 hunter12 freedom1 summer2024 summer2025 winter2024 winter2025
`;

/** The commonest passwords of public leaks that are long enough to be chosen here, in lower case. */
export const commonPasswords: ReadonlySet<string> = new Set(list.trim().split(/\s+/));

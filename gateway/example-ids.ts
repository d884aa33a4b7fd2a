/** Of the people and things of the examples, by the members that hold them. */
export const exampleIds = {
  userId: "0199d0c2-0000-7000-8000-000000000005",
  customerId: "0199d0c2-0000-7000-8000-000000000004",
  accountId: "0199d0c2-0000-7000-8000-000000000003",
  userWalletId: "0199d0c2-0000-7000-8000-000000000003",
  investmentProductId: "7f8a2c10-5b1e-4c7e-9a3d-2f6b8d4e1a01",
  transactionId: "0199d0c2-43bc-7341-86c0-b8c5b861ebd4",
  payAbleId: "0199d0c2-43bc-7341-86c0-b8c5b861ebd4",
  paymentId: "0199d0c2-4492-745b-898d-dad500e6ac00",
  interactionId: "3f1c9a52-6d0e-4b8f-9a37-2c5d8e1f7b60",
  bankAccountId: "0199d0c2-48a0-7c15-9d2e-5b7f3a1c8e60",
  loanApplicationId: "a7d57485-70e9-88a4-a9bb-926704b19b70",
} as const;

/** What a login answers and its refresh takes. */
export const exampleRefreshToken = "AVWZGYOo-Djiu2dJUovocaAu8rKxAAAAAYIYA8eLRIreQc8c00wUbPskuQPaeJX2";

/** The loan that the examples pay back in part; the other one they pay off. */
export const repaidLoan = {
  loanApplicationId: "5483faa1-6910-8881-a786-52a92862c554",
  accountId: "0199d0c2-db96-77b4-b792-ec4db6f98b24",
} as const;

import { areaTexts } from "../../lib/area-texts";

export const texts = areaTexts({
  en: {
    title: "Audit trail",
    about: "What people decided in compliance. It is added to and read, never changed.",
    at: "When",
    actor: "Who",
    action: "What",
    subject: "About",
    subjects: "About",
    show: "Show",
    showOf: (action: string) => `Show ${action}`,
    open: "Open",
    content: "What was decided",
    empty: "Nothing was decided yet",
    emptyHint: "Each decision of a person is written down here, with its reason.",
  },
  fr: {
    title: "Piste d’audit",
    about: "Ce que des personnes ont décidé en conformité. On y ajoute et on la lit ; rien n’y est modifié.",
    at: "Quand",
    actor: "Qui",
    action: "Quoi",
    subject: "À propos de",
    subjects: "À propos de",
    show: "Afficher",
    showOf: (action: string) => `Afficher ${action}`,
    open: "Ouvrir",
    content: "Ce qui fut décidé",
    empty: "Rien n’a encore été décidé",
    emptyHint: "Chaque décision d’une personne est inscrite ici, avec son motif.",
  },
});

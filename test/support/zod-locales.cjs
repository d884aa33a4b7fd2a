// In place of zod/v4/locales in tests.
exports.en = require("zod/v4/locales/en.cjs");

// The transform of every test run, with one seeded edit: MUTANT is {file, find, replace} as JSON.
// Nothing on the disk is changed.
const { join, relative } = require("node:path");
const { createTransformer } = require("@swc/jest");

const root = join(__dirname, "..", "..");
const { file, find, replace } = JSON.parse(process.env.MUTANT);

const edited = (source, path) => (relative(root, path) === file ? source.replace(find, () => replace) : source);

module.exports = {
  createTransformer(options) {
    const plain = createTransformer(options);
    return {
      ...plain,
      process: (source, path, ...rest) => plain.process(edited(source, path), path, ...rest),
      processAsync: (source, path, ...rest) => plain.processAsync(edited(source, path), path, ...rest),
      getCacheKey: (source, path, ...rest) => plain.getCacheKey(edited(source, path), path, ...rest),
    };
  },
};

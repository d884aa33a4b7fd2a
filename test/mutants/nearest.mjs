// Tests in the order of MUTANT_FILES: those nearest to the edit first.
import { relative } from "node:path";
import Sequencer from "@jest/test-sequencer";
import { root } from "../../deploy/steps.mjs";

const places = new Map(JSON.parse(process.env.MUTANT_FILES).map((file, place) => [file, place]));
const placeOf = ({ path }) => places.get(relative(root, path)) ?? 0;

export default class Nearest extends Sequencer {
  sort(tests) {
    return tests.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

// Answers queries with Material's own search worker, which runs here without a browser.
// usage: node material_search.mjs WORKER LUNR_FOLDER < {"setup": …, "queries": […]}
import { readFileSync } from "node:fs";
import { join, basename } from "node:path";
import vm from "node:vm";

const [worker, lunr] = process.argv.slice(2);
const { setup, queries } = JSON.parse(readFileSync(0, "utf8"));
let listener;
let answered;
const world = {
  console: { log() {}, warn() {}, error() {} },
  addEventListener: (_, found) => { listener = found; },
  postMessage: (message) => answered(message),
  importScripts: (...paths) => {
    for (const path of paths) {
      const folder = path.includes("/min/") ? join(lunr, "min") : lunr;
      vm.runInContext(readFileSync(join(folder, basename(path)), "utf8"), context);
    }
  },
  URL, setTimeout, clearTimeout, Intl,
};
world.self = world;
world.location = { href: "http://127.0.0.1/" };
const context = vm.createContext(world);
vm.runInContext(readFileSync(worker, "utf8"), context);

// However long it takes: a busy machine must not make the answers fewer.
async function ask(type, data) {
  const answer = new Promise((done) => { answered = done; });
  await listener({ data: { type, data } });
  return answer;
}

await ask(0, setup);
const results = [];
for (const query of queries) {
  const found = await ask(2, query);
  const groups = found?.data?.items ?? [];
  results.push(groups.slice(0, 10).map((group) => group[0].location));
}
process.stdout.write(JSON.stringify(results));

// Answers queries with Pagefind's own script and index, which run here without a browser.
// usage: node pagefind_search.mjs PAGEFIND_FOLDER < {"queries": […]}
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const folder = process.argv[2];
const { queries } = JSON.parse(readFileSync(0, "utf8"));
const base = "http://127.0.0.1/pagefind/";
globalThis.window = { location: { origin: "http://127.0.0.1", href: "http://127.0.0.1/" } };
globalThis.location = globalThis.window.location;
globalThis.document = { querySelector: () => ({ getAttribute: () => "zh" }), currentScript: null };
globalThis.fetch = async (address) => {
  const path = new URL(String(address), base).pathname.replace(/^\/pagefind\//, "");
  const data = readFileSync(join(folder, decodeURIComponent(path)));
  return new Response(data, { status: 200 });
};
const pagefind = await import(pathToFileURL(join(folder, "pagefind.js")).href);
await pagefind.options({ basePath: base, baseUrl: "/" });
await pagefind.init("zh");
const results = [];
for (const query of queries) {
  let found;
  try {
    const { results: hits } = await pagefind.search(query);
    found = await Promise.all(hits.slice(0, 10).map(async (hit) => (await hit.data()).url));
  } catch {
    found = [];
  }
  results.push(found);
}
process.stdout.write(JSON.stringify(results));
process.exit(0);

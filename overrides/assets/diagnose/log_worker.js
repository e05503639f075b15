// Starts the diagnosis page's worker where workers can load files.
importScripts("loader.js");
importScripts(...fixbook.engine, "jobs.js", "../../search/fixbook.js", "../../search/advice.js");
const { index, advice } = fixbook.data;
if (index && advice) fixbook.use("jobs").serve(self, { index, advice });

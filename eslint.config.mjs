// The browser's scripts: classic scripts, the modules of which share the global `fixbook`.
import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["site/", "node_modules/", ".venv/", ".cache/"] },
  {
    ...js.configs.recommended,
    files: ["overrides/assets/**/*.js", "generator/site/live.js"],
    languageOptions: {
      ecmaVersion: 2022,
      sourceType: "script",
      globals: { ...globals.browser, ...globals.worker, fixbook: "readonly", __md_get: "readonly" },
    },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      ...js.configs.recommended.rules,
      "no-control-regex": "off", // logs hold control characters
      "no-implicit-globals": "error",
      "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "no-var": "error",
      "prefer-const": "error",
      eqeqeq: "error",
      curly: ["error", "multi-line"],
      strict: ["error", "function"],
      "max-depth": ["error", 4],
      "max-lines": ["error", 250],
      complexity: ["error", 15],
    },
  },
  {
    files: ["overrides/assets/diagnose/config_worker.js"],
    languageOptions: { sourceType: "module" },
    rules: { strict: "off", "no-implicit-globals": "off" },
  },
  {
    files: ["overrides/assets/diagnose/log_worker.js"],
    rules: { strict: "off", "no-implicit-globals": "off" },
  },
  {
    files: ["**/*.mjs"],
    ...js.configs.recommended,
    languageOptions: { ecmaVersion: 2022, sourceType: "module", globals: globals.node },
  },
];

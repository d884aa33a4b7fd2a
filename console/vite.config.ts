import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import tailwind from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";
import { bundledPackages } from "./bundled-packages.js";

const out = join(import.meta.dirname, "../dist/console");

/** So that the gateway packs nothing: beside each text asset lies the same, packed. */
function packed(): Plugin {
  return {
    name: "packed-assets",
    apply: "build",
    closeBundle() {
      const folder = join(out, "assets");
      for (const name of readdirSync(folder).filter((file) => /\.(js|css|svg)$/.test(file))) {
        writeFileSync(join(folder, `${name}.gz`), gzipSync(readFileSync(join(folder, name)), { level: 9 }));
      }
    },
  };
}

// `npm run console` serves the sources, and sends what is the API's to a running gateway.
const gateway = process.env["GATEWAY"] ?? "http://localhost:8080";
const toGateway = { target: gateway, headers: { Origin: gateway }, changeOrigin: true };

export default defineConfig({
  root: import.meta.dirname,
  base: "/console/",
  publicDir: false,
  plugins: [tailwind(), bundledPackages(), packed()],
  resolve: { alias: { "@manilla/client": join(import.meta.dirname, "../sdk/src/index.ts") } },
  oxc: { jsx: { runtime: "automatic" } },
  build: {
    outDir: out,
    emptyOutDir: true,
    target: "es2023",
    // A data: URL would need a wider policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // "use client" is for servers that render; there is none.
      onwarn: (warning, warn) => warning.code !== "MODULE_LEVEL_DIRECTIVE" && warn(warning),
    },
  },
  server: {
    proxy: { "/console/session": toGateway, "/sandbox": toGateway, "/api": toGateway },
  },
});

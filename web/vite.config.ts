import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';
import { recordThirdParty } from '../scripts/third-party.mjs';
import { replaceFiles } from '../scripts/unused-parts.mjs';
import { shared } from './vite.shared.js';

/** The words about measures as a file beside the page: they are read when somebody asks, and they are no program. */
function measureWords(): Plugin {
  return {
    name: 'measure-words',
    async generateBundle() {
      const { allMeasures, docOf, parameterHelp } = await import('../dist/measures/index.js');
      const words = allMeasures.map((def) => {
        const { title, help, formula, tools, cite } = docOf(def);
        const params = Object.fromEntries(Object.keys(def.params).map((param) => [param, parameterHelp(def, param)]));
        return [def.name, { title, help, formula, tools, cite, params }];
      });
      this.emitFile({ type: 'asset', fileName: 'measures.json.gz', source: compressed(Object.fromEntries(words)) });
    },
  };
}

/** The examples as one file beside the page. */
function examples(): Plugin {
  const names = ['example.qrels', 'bm25.run', 'neural.run', 'hybrid.run'];
  const data = (name: string): string => readFileSync(new URL(`../examples/data/${name}`, import.meta.url), 'utf8');
  return {
    name: 'examples',
    generateBundle() {
      const texts = { ...Object.fromEntries(names.map((name) => [name, data(name)])), 'letor.txt': data('ltr/train.txt') };
      this.emitFile({ type: 'asset', fileName: 'examples.json.gz', source: compressed(texts) });
    },
  };
}

function compressed(content: object): Uint8Array {
  return gzipSync(JSON.stringify(content), { level: 9 });
}

/** Drops scripts that no other script names: those that only unused parts of the library would load. */
function dropUnusedScripts(): Plugin {
  return {
    name: 'drop-unused-scripts',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const scripts = Object.values(bundle).filter((output) => output.type === 'chunk');
      const used = scripts.filter(({ isEntry }) => isEntry);
      for (const { code } of used) {
        for (const script of scripts) {
          if (!used.includes(script) && code.includes(script.fileName.replace(/^.*\//, ''))) used.push(script);
        }
      }
      for (const script of scripts) if (!used.includes(script)) delete bundle[script.fileName];
    },
  };
}

export default defineConfig({
  ...shared,
  plugins: [...(shared.plugins ?? []), measureWords(), examples(), dropUnusedScripts(), recordThirdParty('app')],
  build: { ...shared.build, emptyOutDir: true, assetsInlineLimit: 0 },
  worker: { format: 'es', plugins: () => [replaceFiles(), recordThirdParty('app-worker')] },
});

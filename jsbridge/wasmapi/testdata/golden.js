import './probe.js';
import imports from './imports.wasm';
import kinds from './kinds.wasm';
import start from './start.wasm';
import dataBounds from './data-bounds.wasm';
import elemBounds from './elem-bounds.wasm';
import extra from './extra.wasm';
import multi from './multi.wasm';
import bin from './kinds.bin';

export default {
  async test() {
    const modules = { imports, kinds, start, 'data-bounds': dataBounds, 'elem-bounds': elemBounds, extra, multi };
    await probe(modules, bin, (line) => console.log(line));
  },
};

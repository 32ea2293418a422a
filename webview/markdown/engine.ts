/** The Markdown renderer, in a bundle of its own: it is loaded after the first paint. */
export { BlockSink } from './block-sink.js';
export { BlockSplitter } from './block-splitter.js';
export { renderBlocks } from './render-block.js';

export type { Reply, Step } from './reply.js';
export { chunk, DONE, frame, html, json, sse } from './reply.js';
export type { ChatBody, ChatRequest, OpenAiServer } from './server.js';
export { startOpenAiServer } from './server.js';
export type { Shape } from './shapes.js';
export { SHAPES } from './shapes.js';
export { chatProblem } from './validate.js';
export { FakeOllama } from './ollama.js';

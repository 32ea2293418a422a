import { createDemoProvider, demoModel } from '../../provider/demo/provider.js';
import type { LmApi } from '../language-models/api.js';
import { listVsCodeModels, VSCODE_LM, vsCodeModelInfo } from '../language-models/models.js';
import { createVsCodeLmProvider } from '../language-models/provider.js';
import type { ModelSource } from './source.js';

/** The models that other extensions offer in VS Code. */
export function vsCodeLmSource(api: LmApi): ModelSource {
  return {
    id: VSCODE_LM,
    label: 'VS Code',
    provider: createVsCodeLmProvider(api),
    isSetUp: async () => (await listVsCodeModels(api)).length > 0,
    list: () => listVsCodeModels(api),
    info: vsCodeModelInfo,
  };
}

/** The scripted model that is always there. */
export function demoSource(): ModelSource {
  return {
    id: demoModel.provider,
    label: 'Demo',
    provider: createDemoProvider(),
    defaultModel: demoModel.id,
    isSetUp: () => Promise.resolve(true),
    list: () => Promise.resolve([demoModel]),
    info: () => demoModel,
  };
}

import { present } from '../domain/present.js';
import { setTimeout } from 'node:timers/promises';
import { Signal } from '../concurrency/signal.js';
import { t } from '../domain/l10n.js';
import type { FillProvider } from '../domain/model/fill.js';
import { AUTO, DEFAULT_MODEL, type ModelChoice } from '../domain/model/model-choice.js';
import { modelKey } from '../domain/model/model-key.js';
import type { ModelInfo, Provider } from '../domain/model/provider.js';
import type { Secrets } from './keys/secrets.js';
import { refusalOf, withinAllowed } from './allowed-models.js';
import { Catalog, type CatalogEntry, type CatalogOptions } from './catalog.js';
import { describeModel } from './describe.js';
import { type Checked, type CustomModel, readCustomModels, withCustom } from './custom-models.js';
import { EDITOR_MODELS, type ModelSource } from './source.js';
import type { AllowedModels, NamedBySetting } from '../customization/settings.js';
import { wantedModel } from './wanted-model.js';

/** Sources of models, API keys, and the user's settings and favorites. */
export interface RegistryDeps {
  readonly secrets: Secrets;
  /** The sources as the settings have them now, in the order in which they are shown; the demo last. */
  readonly sources: () => Checked<readonly ModelSource[]>;
  /** The models that settings name for new chats, the first of them preferred, and those that the user describes, not yet checked. */
  readonly settings: {
    readonly wantedModels: () => readonly NamedBySetting[];
    readonly customModels: () => unknown;
    /** Default: all models are allowed. */
    readonly allowedModels?: () => readonly AllowedModels[];
  };
  /** The last notice about an automatically chosen model. */
  readonly lastTold: { readonly get: () => string | undefined; readonly set: (name: string) => void };
  /** The names of the models that the user prefers. */
  readonly favorites: { readonly get: () => readonly string[]; readonly set: (names: readonly string[]) => void };
  readonly catalog?: CatalogOptions;
}

/** The most models that a user can prefer; beyond that the first ones are forgotten. */
const MAX_FAVORITES = 50;

/** Milliseconds for which a new chat waits for lists of models, where only these show which one a file means. */
const LISTS_MS = 3_000;

/** What Claude Code calls two models, by the mode. */
const OPUS_PLAN = { name: 'opusplan', inPlan: 'opus', otherwise: 'sonnet' } as const;

/** A model with what runs it. */
interface Chosen {
  readonly provider: Provider;
  readonly model: ModelInfo;
  /** Fill-in-the-middle provider; absent for none. */
  readonly fill?: FillProvider;
  /** Who has chosen it, and chooses the next one. */
  readonly choice: ModelChoice;
}

/** Notice about the model of a new chat. */
export interface ModelNews {
  readonly text: string;
  /** Whether the workspace chose it, so that the user may want their own. */
  readonly ofRepository?: boolean;
}

/** The models there are and what runs each. Lists come in the background; nothing here waits for one but {@link refresh}. */
export class ModelRegistry {
  private readonly catalog: Catalog;
  private readonly changed = new Signal();
  /** Calls back when {@link entries} or {@link problems} may have become others. Returns how to stop that. */
  readonly onDidChange = this.changed.subscribe;
  private sources: readonly ModelSource[] = [];
  private custom: readonly CustomModel[] = [];
  /** Whether every source has been asked once. */
  isListed = false;
  /** The providers that have more than one key. */
  private readonly withKeys = new Set<string>();
  private told: { readonly name: string; readonly text: string } | undefined;
  /** Notice about the model that a file names: that it does not exist, with its replacement, or that a repository chose it. */
  private ofFile: (ModelNews & { readonly name: string; readonly id: string }) | undefined;

  /** Problems of the settings, each in a sentence that names entry and field. */
  problems: readonly string[] = [];

  constructor(private readonly deps: RegistryDeps) {
    this.catalog = new Catalog(() => this.changed.emit(), deps.catalog);
    this.readSettings();
    deps.secrets.onDidChange((provider) => {
      this.expire(provider);
      // Of several, another one may be in use.
      if (this.withKeys.has(provider)) this.changed.emit();
      void this.countKeys(provider);
    });
  }

  /** Reads the settings again, and asks every source anew. */
  reload(): void {
    this.readSettings();
    this.changed.emit();
    void this.catalog.refresh();
  }

  /** The name of the key that a model uses, where its provider has more than one. */
  keyOf({ provider, id }: Pick<ModelInfo, 'provider' | 'id'>): string | undefined {
    return this.withKeys.has(provider) ? this.deps.secrets.nameFor(provider, id) : undefined;
  }

  /** Asks one source anew, such as after its key has changed. */
  expire(provider: string): void {
    this.catalog.expire(provider);
    void this.catalog.refreshOne(provider);
  }

  /** Who does not allow a model; `undefined` where it may be asked. For many models, the settings are read once: see {@link refusals}. */
  refusalOf(model: Pick<ModelInfo, 'provider' | 'id'>): AllowedModels | undefined {
    return this.refusals()(model);
  }

  /** The same by the settings as they are now. */
  refusals(): (model: Pick<ModelInfo, 'provider' | 'id'>) => AllowedModels | undefined {
    const places = this.deps.settings.allowedModels?.() ?? [];
    return (model) => refusalOf(model, places);
  }

  /** The sources that are set up with those of their models that may be asked, as far as they are known. */
  entries(): readonly CatalogEntry[] {
    return this.allowed(this.allEntries());
  }

  /** As {@link entries}, with those that may not be asked. */
  allEntries(): readonly CatalogEntry[] {
    const known = this.catalog.entries().map((entry) => ({ ...entry, models: this.completed(entry.source.id, entry.models) }));
    const missing = this.sources.filter(({ id }) => !known.some(({ source }) => source.id === id));
    // A model that the user described is offered wherever its server is.
    const own = missing.map((source) => ({ source, models: this.completed(source.id, []) })).filter(({ models }) => models.length > 0);
    return [...known, ...own].sort((a, b) => this.sources.indexOf(a.source) - this.sources.indexOf(b.source));
  }

  /** Asks for the lists that are missing or old. Resolves when all have answered or failed. */
  async refresh(): Promise<void> {
    await Promise.all([this.catalog.refresh(), ...(this.isListed ? [] : this.sources.map(({ id }) => this.countKeys(id)))]);
    if (this.isListed) return;
    this.isListed = true;
    this.changed.emit();
  }

  /** Resolves when every source has been asked once, or after a few seconds. @param signal ends waiting */
  async listed(signal: AbortSignal): Promise<void> {
    if (this.isListed) return;
    const waited = AbortSignal.any([signal, AbortSignal.timeout(LISTS_MS)]);
    await Promise.race([this.refresh(), new Promise((resolve) => waited.addEventListener('abort', resolve, { once: true }))]);
  }

  /** Whether a provider can be asked, as far as that is known: its key is there, or it needs none. */
  isSetUp(provider: string): boolean {
    return this.catalog.entries().some(({ source }) => source.id === provider);
  }

  /**
   * A model as {@link choose} gives it, for a session that has one: Auto leaves it that until one is chosen for its next task.
   * @throws Error for a name that no provider has
   */
  async chooseFor({ model }: { readonly model: ModelInfo }, key: string): Promise<Chosen> {
    return key === AUTO ? { ...(await this.choose(modelKey(model))), choice: { type: AUTO } } : this.choose(key);
  }

  /** Whether the user prefers a model. */
  isFavorite(name: string): boolean {
    return this.deps.favorites.get().includes(name);
  }

  /** Remembers that the user prefers a model, or does not any more. */
  prefer(name: string, on: boolean): void {
    const others = this.deps.favorites.get().filter((each) => each !== name);
    this.deps.favorites.set(on ? [...others, name].slice(-MAX_FAVORITES) : others);
    this.changed.emit();
  }

  /** The providers that take a key. */
  keyOwners(): readonly ModelSource[] {
    return this.sources.filter(({ key }) => key !== undefined);
  }

  /** The model of a provider for new sessions; `undefined` when it has none. Waits for its list where only that has the default. */
  async defaultOf(provider: string): Promise<string | undefined> {
    const source = this.sources.find(({ id }) => id === provider);
    const id = source?.defaultModel ?? (await this.catalog.refreshOne(provider))?.models[0]?.id;
    return id === undefined ? undefined : `${provider}/${id}`;
  }

  /**
   * A model by its name `provider/model`; without a name, or with `default`, the one for new sessions: that of the settings, else {@link firstChoice}.
   * With `auto`, or where the settings have that, it is the one to begin with. A model that is not listed is taken as it is.
   * @throws Error for a name that no provider has.
   */
  async choose(key: string | undefined): Promise<Chosen> {
    const isDefault = key === undefined || key === DEFAULT_MODEL;
    const wanted = isDefault ? await this.forNewChats() : key;
    const name = wanted === AUTO ? await this.toBeginWith() : wanted;
    const found = this.lookUp(name);
    if (found === undefined) {
      const providers = this.sources.map((each) => each.id).join(', ');
      throw new Error(t('Unknown model “{0}”. Use the format provider/model. Available providers: {1}.', name, providers));
    }
    const { source, model } = found;
    const choice: ModelChoice = wanted === AUTO ? { type: 'auto' } : isDefault ? { type: 'default' } : { type: 'pinned', key: name };
    return { provider: source.provider, model, choice, ...present({ fill: source.fill }) };
  }

  /** What is known now of the model with a name; `undefined` for a name that no provider has. */
  find(name: string): ModelInfo | undefined {
    return this.lookUp(name)?.model;
  }

  /**
   * The model that sessions have in plan mode where nobody has chosen theirs, and a file says so as Claude Code does: `opusplan` is Opus there, and Sonnet
   * otherwise (code.claude.com/docs/en/model-config). `undefined`: it is the same as otherwise, as far as is known.
   */
  inPlan(): Pick<Chosen, 'provider' | 'model'> | undefined {
    const [wanted] = this.deps.settings.wantedModels();
    if (wanted?.file === undefined || wanted.name.toLowerCase() !== OPUS_PLAN.name) return undefined;
    const answer = wantedModel(OPUS_PLAN.inPlan, undefined, this.entries());
    const found = answer.type === 'model' ? this.lookUp(answer.key) : undefined;
    return found && { provider: found.source.provider, model: found.model };
  }

  /** Display names of a model and of who runs it, as far as they are known now. */
  labelsOf(name: string): { readonly model: string; readonly provider: string } {
    const found = this.lookUp(name);
    if (found !== undefined) return { model: found.model.label, provider: found.source.label };
    const provider = name.slice(0, Math.max(0, name.indexOf('/')));
    return { model: name.slice(provider.length === 0 ? 0 : provider.length + 1), provider };
  }

  /** The model for new chats that the workspace has no part in. */
  async own(): Promise<string> {
    const own = this.deps.settings.wantedModels().filter(({ ofRepository }) => ofRepository !== true);
    return (await this.firstOf(own))?.name ?? this.preferred();
  }

  /** The model that a session has until one is chosen for its first task. */
  private async toBeginWith(): Promise<string> {
    const own = this.deps.settings.wantedModels().filter(({ name, ofRepository }) => name !== AUTO && ofRepository !== true);
    const named = (await this.firstOf(own))?.name;
    if (named !== undefined) return named;
    const { source, id } = await this.best();
    return `${source.id}/${id}`;
  }

  /**
   * Message about a model that was chosen automatically, by a file, or in place of one that there is not: once for each new choice. Of the demo the chat itself
   * says that it is one.
   */
  news(name: string): ModelNews | undefined {
    const { ofFile, told } = this;
    const news = ofFile?.name === name ? ofFile : told?.name === name && !this.isStopgap(name) ? { id: name, text: told.text } : undefined;
    if (news === undefined || this.deps.lastTold.get() === news.id) return undefined;
    this.deps.lastTold.set(news.id);
    return { text: news.text, ...('ofRepository' in news ? { ofRepository: true } : {}) };
  }

  /**
   * A model to use in place of the demo that was chosen automatically because lists had not come yet.
   * @returns its name; `undefined` when the user chose, or there is none
   */
  improved(name: string): string | undefined {
    if (!this.isStandIn(name)) return undefined;
    const choice = listedChoice(this.allowed(this.catalog.entries()));
    return choice === undefined ? undefined : this.tell(choice);
  }

  /** Whether a model was chosen because there is no other: the demo, where the user did not want that. */
  isStandIn(name: string): boolean {
    return this.told?.name === name && this.isStopgap(name);
  }

  /** Whether a model is of the last source, the fallback where there is no other. */
  private isStopgap(name: string): boolean {
    return name.startsWith(`${this.sources.at(-1)?.id ?? ''}/`);
  }

  private allowed(entries: readonly CatalogEntry[]): readonly CatalogEntry[] {
    const refusal = this.refusals();
    return entries.map((entry) => ({ ...entry, models: entry.models.filter((model) => refusal(model) === undefined) }));
  }

  /** Finds out whether a provider has several keys. */
  private async countKeys(provider: string): Promise<void> {
    const owner = this.sources.find(({ id }) => id === provider)?.key;
    const several = owner !== undefined && (await this.deps.secrets.hasSeveral(owner));
    if (several === this.withKeys.has(provider)) return;
    if (several) this.withKeys.add(provider);
    else this.withKeys.delete(provider);
    this.changed.emit();
  }

  private lookUp(name: string): { readonly source: ModelSource; readonly model: ModelInfo } | undefined {
    const slash = name.indexOf('/');
    const source = this.sources.find(({ id }) => id === name.slice(0, slash));
    const id = name.slice(slash + 1);
    return slash < 1 || source === undefined || id === '' ? undefined : { source, model: this.infoOf(source, id) };
  }

  private infoOf(source: ModelSource, id: string): ModelInfo {
    const listed = this.catalog
      .entries()
      .find((entry) => entry.source === source)
      ?.models.find((model) => model.id === id);
    return this.described(source, listed ?? source.info(id));
  }

  /** The list of a source with what the user said of its models, and those that only the user knows. */
  private completed(provider: string, models: readonly ModelInfo[]): readonly ModelInfo[] {
    const source = this.sources.find(({ id }) => id === provider);
    const extra = this.custom.filter((own) => own.provider === provider && !models.some(({ id }) => id === own.id));
    return source === undefined ? models : [...extra.map(({ id }) => source.info(id)), ...models].map((model) => this.described(source, model));
  }

  /** A model with what the user said of it, and where it runs. */
  private described(source: ModelSource, model: ModelInfo): ModelInfo {
    const known = withCustom(model, this.custom);
    return source.isOnThisMachine?.() === true ? { ...known, onThisMachine: true } : known;
  }

  /** The first model of the settings that there is, with a note for the user where a file has a part in that. */
  private async forNewChats(): Promise<string> {
    const wanted = this.deps.settings.wantedModels();
    const first = await this.firstOf(wanted);
    const name = first?.name ?? (await this.preferred());
    const [strongest] = wanted;
    this.ofFile = strongest === undefined || first?.wanted === strongest ? this.chosenBy(strongest, name) : missingNews(strongest, name);
    return name;
  }

  /** The first of some models that there is. What the user set in VS Code is taken as it is, so that they learn of a mistake in it. */
  private async firstOf(all: readonly NamedBySetting[]): Promise<{ readonly name: string; readonly wanted: NamedBySetting } | undefined> {
    for (const wanted of all) {
      const written = wanted.name.toLowerCase() === OPUS_PLAN.name ? OPUS_PLAN.otherwise : wanted.name;
      const name = wanted.file === undefined || wanted.name === AUTO ? wanted.name : await this.meant(written);
      if (name !== undefined) return { name, wanted };
    }
    return undefined;
  }

  /** The model that a file means; `undefined` where there is none like that. */
  private async meant(written: string): Promise<string | undefined> {
    const source = this.sources.find(({ id }) => written.startsWith(`${id}/`) && written.length > id.length + 1);
    // What cannot even be asked is not set up.
    const isAllowed = source !== undefined && this.refusalOf({ provider: source.id, id: written.slice(source.id.length + 1) }) === undefined;
    if (isAllowed && (await source.isSetUp(AbortSignal.timeout(LISTS_MS)).catch(() => false))) return written;
    const find = (): string | undefined => {
      const answer = wantedModel(written, undefined, this.entries());
      return answer.type === 'model' ? answer.key : undefined;
    };
    return find() ?? this.onceListed(find);
  }

  /** Searches the lists of models as they arrive. Waits no longer than needed. */
  private async onceListed(find: () => string | undefined): Promise<string | undefined> {
    let stop = (): void => undefined;
    const found = new Promise<void>((resolve) => {
      stop = this.onDidChange(() => find() !== undefined && resolve());
    });
    await Promise.race([found, this.refresh(), setTimeout(LISTS_MS, undefined, { ref: false })]);
    stop();
    return find();
  }

  /** The note about a model that a file of the workspace chose, unless the user has the same one. */
  private chosenBy(wanted: NamedBySetting | undefined, name: string): ModelRegistry['ofFile'] {
    const own = this.deps.settings.wantedModels().find(({ ofRepository }) => ofRepository !== true);
    const source = this.sources.find(({ id }) => name.startsWith(`${id}/`));
    if (wanted?.ofRepository !== true || source === undefined || own?.name === name) return undefined;
    const model = this.infoOf(source, name.slice(source.id.length + 1));
    const facts = describeModel(model, source.key !== undefined);
    return { name, id: `${wanted.file ?? ''} ${name}`, ofRepository: true, text: t('Model from {0}: {1} ({2}).', wanted.file ?? '', model.label, facts) };
  }

  private async preferred(): Promise<string> {
    return this.tell(await this.best());
  }

  /** The model where the user names none. */
  private async best(): Promise<FirstChoice> {
    const choice = await firstChoice(this.sources, this.deps.secrets, {
      listed: this.allowed(this.catalog.entries()),
      of: ({ id, defaultModel }) =>
        defaultModel === undefined || this.refusalOf({ provider: id, id: defaultModel }) === undefined ? defaultModel : firstOf(this.entries(), id)?.id,
    });
    if (choice === undefined) throw new Error(t('No model is available. Run “Gnomon: Set API Key”, or choose a model with “Gnomon: Select Model”.'));
    return choice;
  }

  private tell({ source, id, why }: FirstChoice): string {
    const name = `${source.id}/${id}`;
    const { label } = this.infoOf(source, id);
    this.told = { name, text: t('No model is selected. New chats use {0} because {1}. You can choose another model at any time.', label, why) };
    return name;
  }

  private readSettings(): void {
    const { value: sources, problems } = this.deps.sources();
    const custom = readCustomModels(
      this.deps.settings.customModels(),
      sources.map(({ id }) => id),
    );
    this.sources = sources.map((source) => withinAllowed(source, (model) => this.refusalOf(model)));
    this.custom = custom.value;
    this.problems = [...problems, ...custom.problems];
    this.catalog.use(this.sources);
  }
}

/** The local server that is taken on its own when it runs. */
const LOCAL = 'ollama';

/** A model that was chosen automatically, and the reason as text. */
interface FirstChoice {
  readonly source: ModelSource;
  readonly id: string;
  readonly why: string;
}

/**
 * The model for new sessions where none is set: a provider whose key is there, in the order of the sources; else one of
 * the {@link listedChoice} as far as lists have come, all of them allowed; else the last source, the demo. Makes no requests and waits for no
 * list, since the chat opens with it.
 */
async function firstChoice(
  sources: readonly ModelSource[],
  secrets: Secrets,
  allowed: { readonly listed: readonly CatalogEntry[]; readonly of: (source: ModelSource) => string | undefined },
): Promise<FirstChoice | undefined> {
  let refused: FirstChoice | undefined;
  for (const source of sources) {
    if (source.key === undefined || source.defaultModel === undefined || (await secrets.key(source.key)) === undefined) continue;
    const id = allowed.of(source);
    const why = t('an API key for {0} is set', source.label);
    if (id !== undefined) return { source, id, why };
    refused ??= { source, id: source.defaultModel, why };
  }
  const last = sources.at(-1);
  const demo = last?.defaultModel === undefined ? undefined : { source: last, id: last.defaultModel, why: t('no other model is set up') };
  // One that is not allowed says so when it is asked, where the demo would hide it.
  return listedChoice(allowed.listed) ?? refused ?? demo;
}

/** A model that needs no key: one of VS Code, else one of a local server that runs. One that can call tools is preferred. */
function listedChoice(known: readonly CatalogEntry[]): FirstChoice | undefined {
  const vsCode = firstOf(known, EDITOR_MODELS);
  if (vsCode !== undefined) return { ...vsCode, why: t('it is available in VS Code') };
  const local = firstOf(known, LOCAL);
  return local === undefined ? undefined : { ...local, why: t('{0} is running on this machine', local.source.label) };
}

function firstOf(known: readonly CatalogEntry[], name: string): { readonly source: ModelSource; readonly id: string } | undefined {
  const entry = known.find(({ source }) => source.id === name);
  const model = entry?.models.find(({ supportsTools }) => supportsTools) ?? entry?.models[0];
  return entry === undefined || model === undefined ? undefined : { source: entry.source, id: model.id };
}

function missingNews({ name: wanted, file = '' }: NamedBySetting, name: string): ModelNews & { readonly name: string; readonly id: string } {
  return { name, id: `${wanted} ${name}`, text: t('The model “{0}” from {1} is not available. New chats use {2}.', wanted, file, name) };
}

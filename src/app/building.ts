import { Container } from '../container/internal.ts'
import { ContainerException, Definitions } from '../container/index.ts'
import { HttpContext } from '../context/index.ts'
import { Clock, SystemClock } from '../core/index.ts'
import { sentence, shown } from '../core/internal.ts'
import type { Middleware } from '../http/index.ts'
import { hasNegotiation, Locales } from '../i18n/internal.ts'
import { Router, RoutingException } from '../routing/index.ts'
import { loadConvention, loadResolvers, type ModuleRouting, usesUploads } from '../routing/internal.ts'
import { type View, ViewEngine } from '../view/index.ts'
import type { Configuration } from './app-configuration.ts'
import { AssetUrls } from './asset-urls.ts'
import { COOKIE_COMMIT } from './cookie-commit.ts'
import { HELPERS } from './helper-classes.ts'
import { Kernel } from './kernel.ts'
import { type LateParts, loadParts } from './late-parts.ts'
import { loadPipeline } from './late-pipeline.ts'
import type { KernelParts } from './kernel-parts.ts'
import { assertNoPolicies, assertNoPolicy, CrossOrigin } from './cross-origin.ts'
import type { RendererParts } from './error-renderers.ts'
import { Messages } from './messages.ts'
import { type ConfiguredModule, configureModule } from './module-configuration.ts'
import type { ModuleDefinition } from './module.ts'
import { SecurityHeaders } from './security-headers.ts'
import { refusalOfService } from './known-services.ts'
import {
  addSessionDefaults,
  assertNoLogin,
  assertStoreFor,
  assertStoreNamed,
  requestSessions,
} from './session-services.ts'

/** A booted application. */
export interface BuiltApplication {
  /** Answers requests. */
  readonly kernel: Kernel
  /** Matches routes and generates URLs. */
  readonly router: Router
  /** Shared services. */
  readonly container: Container
}

/**
 * Builds an application from its configuration.
 *
 * @param configuration What was configured.
 * @returns The parts of the running application.
 * @throws {RoutingException} If URLs are ambiguous or a declaration is not allowed.
 * @throws {ContainerException} If a service cannot be built.
 * @throws {Error} If sessions are used in production and no store is registered.
 */
export async function buildApplication(configuration: Configuration): Promise<BuiltApplication> {
  const { basePath } = configuration
  const bands = configuration.bands.close()
  const modules = [...configuration.modules, ...(await modulesOf(configuration.directories))]
  const definitions = new Definitions(refusalOfService)
  const assets = new AssetUrls()
  const owner = { definitions, assets, basePath }
  const configured = modules.map((definition) => configureModule(definition, owner))
  const routings = configured.map(({ routing }) => routing)
  for (const configure of configuration.configurations) configure(definitions)
  const parts = await loadParts(definitions, configuration, configured)
  const container = new Container(withDefaults(definitions, configuration, parts), [HttpContext])
  definitions.lock()
  const messages = new Messages(container)
  // With `sallyport/i18n` in use, or views, formatting is there already or needed at once.
  if (hasNegotiation() || container.has(ViewEngine)) await messages.ready()
  const router = await buildRouter(configuration, routings, container)
  const entries = [...bands.incoming, ...bands.routed, ...bands.outgoing]
  const ofBands = entries.map(({ middleware }) => middleware)
  const ofModules = routings.flatMap(({ middlewares }) => middlewares)
  assertStoreNamed(container, definitions, [...ofBands, ...ofModules])
  for (const each of [...ofBands, ...ofModules]) container.get(SecurityHeaders).assertShowsOrigin(each)
  // Built at boot like those of the bands, which finds missing dependencies and a use of the session login.
  for (const routing of routings) buildMiddlewares(routing, container)
  assertNoPolicies([...bands.incoming, ...bands.routed], container)
  const crossOrigin = CrossOrigin.of(routings, { container, router })
  const renderers =
    parts.errorPages?.ErrorRenderers.of({
      container,
      router,
      ofModules: renderersOf(configured),
      ofApplication: configuration.errorRenderer,
    }) ?? null
  const kernel = buildKernel(configuration, {
    container,
    router,
    crossOrigin,
    assets,
    renderers,
    parts,
    messages,
    compose: await loadPipeline(router, [...ofBands, ...ofModules]),
  })
  assertNoLogin(container)
  // Without any declaration of files nothing is searched, and no route table is compiled.
  if (usesUploads()) (await import('./upload-storages.ts')).assertStorages(router, container)
  return { kernel, router, container }
}

async function buildRouter(
  configuration: Configuration,
  modules: readonly ModuleRouting[],
  container: Container,
): Promise<Router> {
  const router = new Router({
    ...configuration,
    modules,
    resolvers: await loadResolvers(modules),
    Convention: await loadConvention(modules),
    share: (own) => container.provide(Router, own),
    service: (type) => container.get(type),
    prepare: (middleware) => {
      assertStoreFor(container, middleware)
      assertNoPolicy(container.get<Middleware>(middleware))
      container.get(SecurityHeaders).assertShowsOrigin(middleware)
    },
    helpers: HELPERS,
  })
  await router.ready()
  return router
}

async function modulesOf(directories: readonly URL[]): Promise<readonly ModuleDefinition[]> {
  if (directories.length === 0) return []
  const { readModules } = await import('./module-loading.ts')
  const modules: ModuleDefinition[] = []
  for (const directory of directories) modules.push(...(await readModules(directory)))
  return modules
}

function renderersOf(modules: readonly ConfiguredModule[]): RendererParts['ofModules'] {
  return new Map(
    modules.flatMap(({ routing, renderer }) => (renderer === null ? [] : [[routing, renderer] as const])),
  )
}

function buildMiddlewares({ name, source, middlewares }: ModuleRouting, container: Container): void {
  for (const middleware of middlewares) {
    try {
      container.get(middleware)
    } catch (error) {
      // An exception of its constructor belongs to the application and has its own place.
      if (!(error instanceof ContainerException)) throw error
      const owner = `module "${name}"${source === undefined ? '' : ` (${source})`}`
      const message = sentence`Cannot use ${shown(middleware)} as a middleware of ${owner}: ${error.message}`
      throw new RoutingException('invalid-middleware', message, { cause: error })
    }
  }
}

type KernelServices = Omit<BuiltApplication, 'kernel'> &
  Pick<KernelParts, 'crossOrigin' | 'compose'> &
  Pick<KernelParts['errors'], 'renderers' | 'messages'> & {
    readonly assets: AssetUrls
    readonly parts: LateParts
  }

function buildKernel(configuration: Configuration, services: KernelServices): Kernel {
  const { container, router, crossOrigin, assets, renderers, parts, messages, compose } = services
  const { bands, hooks, limits, debug, errorTemplate } = configuration
  const sessions = requestSessions(container, parts.sessions)
  const engine = container.has(ViewEngine) ? container.get(ViewEngine) : null
  const render = renderer(engine, parts, { messages, assets })
  const report = (error: unknown, context: HttpContext): void => hooks.report(error, context)
  const explain = async (context: HttpContext): Promise<string> => {
    const { inspectionOf } = await import('./inspection-parts.ts')
    const inspection = await inspectionOf({ router, container, kernel })
    const explanation = await inspection.explain(context.method(), context.path())
    return explanation.toText()
  }
  if (engine === null && errorTemplate !== null)
    throw new Error(
      sentence`Cannot render error pages with ${shown(errorTemplate)}: register a ViewEngine with definitions.set(ViewEngine, …)`,
    )
  const kernel: Kernel = new Kernel({
    container,
    context: {
      router,
      sessions,
      locales: container.get(Locales),
      limits,
      closing: hooks.closing.ending,
      // What is registered may be any object that renders.
      shadowedNames: (engine as Partial<ViewEngine> | null)?.shadowedNames?.() ?? new Set(),
      report,
    },
    commit:
      parts.SessionCommit === null || sessions === null
        ? COOKIE_COMMIT
        : new parts.SessionCommit(sessions.services.policy),
    withinTime: parts.withinTime,
    compose,
    OutgoingBand: parts.OutgoingBand,
    securityHeaders: container.get(SecurityHeaders),
    crossOrigin,
    bands: bands.close(),
    render,
    errors: {
      debug,
      report,
      renderers,
      template: errorTemplate,
      home: `${router.basePath}/`,
      messages,
      render,
      explain: debug ? explain : null,
    },
    terminate: hooks.listensToTermination ? (context) => hooks.terminate(context) : null,
    watch: responseWatch(parts, { hooks, router }),
  })
  return kernel
}

function responseWatch(
  { ResponseWatch }: LateParts,
  { hooks, router }: Pick<Configuration, 'hooks'> & Pick<BuiltApplication, 'router'>,
): KernelParts['watch'] {
  if (ResponseWatch === null) return null
  return new ResponseWatch({
    report: (event) => hooks.respond(event),
    patternAt: (method, path) => router.patternAt(method, path),
  })
}

function renderer(
  engine: ViewEngine | null,
  { renderView }: LateParts,
  { messages, assets }: { readonly messages: Messages; readonly assets: AssetUrls },
): (view: View, context: HttpContext) => Promise<string> {
  return (view, context) => {
    const { translator } = messages
    if (engine !== null && renderView !== null && translator !== null)
      return renderView(view, context, { engine, translator, assets })
    throw new Error(
      sentence`Cannot render ${shown(view.template)}: register a ViewEngine with definitions.set(ViewEngine, …)`,
    )
  }
}

function withDefaults(
  definitions: Definitions,
  { locales, basePath }: Configuration,
  { sessions }: LateParts,
): Map<unknown, unknown> {
  const values = new Map(definitions.values())
  if (!values.has(Clock)) values.set(Clock, new SystemClock())
  values.set(Locales, new Locales(locales))
  addSessionDefaults(values, sessions, basePath)
  return values
}

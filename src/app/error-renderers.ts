import type { Container } from '../container/internal.ts'
import type { HttpContext } from '../context/index.ts'
import { isPromiseLike, shown } from '../core/internal.ts'
import { isResponse, LightResponse, textResponse } from '../http/internal.ts'
import type { Router } from '../routing/index.ts'
import type { ModuleRouting } from '../routing/internal.ts'
import { View } from '../view/index.ts'
import type { ErrorRenderer, ErrorRendererClass, Failure } from './failure.ts'

/** What renderers are made of. */
export interface RendererParts {
  /** Builds the classes. */
  readonly container: Container
  /** Says which modules a URL is below. */
  readonly router: Router
  /** Those of modules. */
  readonly ofModules: ReadonlyMap<ModuleRouting, ErrorRendererClass | ErrorRenderer>
  /** That of the application; null when it has none. */
  readonly ofApplication: ErrorRendererClass | ErrorRenderer | null
}

/** What a renderer's response goes through. */
export interface RenderServices {
  /** Receives what a renderer throws. */
  readonly report: (error: unknown, context: HttpContext) => void
  /** Renders a view. */
  readonly render: (view: View, context: HttpContext) => Promise<string>
  /** Takes a response over for the request; throws if it cannot be sent. */
  readonly take: (response: Response, context: HttpContext) => LightResponse
}

interface Rendering {
  readonly failure: Failure
  readonly context: HttpContext
  readonly services: RenderServices
}

/**
 * The error renderers of an application. The URL decides, because a request may be refused before it is routed: first the
 * module that owns it, then the modules around, then the application.
 */
export class ErrorRenderers {
  readonly #router: Router
  readonly #ofModules = new Map<ModuleRouting, ErrorRenderer>()
  readonly #ofApplication: ErrorRenderer | null

  private constructor({ container, router, ofModules, ofApplication }: RendererParts) {
    const build = (given: ErrorRendererClass | ErrorRenderer): ErrorRenderer =>
      typeof given === 'function' ? container.get(given) : given
    this.#router = router
    for (const [module, given] of ofModules) this.#ofModules.set(module, build(given))
    this.#ofApplication = ofApplication === null ? null : build(ofApplication)
  }

  /**
   * @param parts What they are made of.
   * @returns The renderers; null if there are none.
   * @throws {ContainerException} If one cannot be built.
   */
  static of(parts: RendererParts): ErrorRenderers | null {
    if (parts.ofModules.size === 0 && parts.ofApplication === null) return null
    return new ErrorRenderers(parts)
  }

  /**
   * Asks the renderers for a response. One that throws, or whose response cannot be sent, is reported, and the next one is
   * asked.
   *
   * @param failure What went wrong.
   * @param context Context of the request.
   * @param services What a renderer's response goes through.
   * @returns The response; null when no renderer gives one.
   */
  render(
    failure: Failure,
    context: HttpContext,
    services: RenderServices,
  ): LightResponse | null | Promise<LightResponse | null> {
    const modules = this.#ofModules.size === 0 ? [] : this.#router.ownersOf(context.path())
    const renderers = modules.flatMap((module) => this.#ofModules.get(module) ?? [])
    if (this.#ofApplication !== null) renderers.push(this.#ofApplication)
    return ask(renderers, { failure, context, services })
  }
}

function ask(
  renderers: readonly ErrorRenderer[],
  rendering: Rendering,
): LightResponse | null | Promise<LightResponse | null> {
  for (const [index, renderer] of renderers.entries()) {
    const { failure, context, services } = rendering
    try {
      const made = renderer.render(failure, context)
      if (made === null) continue
      if (isPromiseLike(made) || made instanceof View)
        return askLater(made, renderers.slice(index + 1), rendering)
      return answer(made, rendering)
    } catch (fault) {
      services.report(fault, context)
    }
  }
  return null
}

async function askLater(
  pending: View | PromiseLike<Response | View | null>,
  others: readonly ErrorRenderer[],
  rendering: Rendering,
): Promise<LightResponse | null> {
  const { context, services } = rendering
  try {
    const made = await pending
    if (made instanceof View) return await showView(made, rendering)
    if (made !== null) return answer(made, rendering)
  } catch (fault) {
    services.report(fault, context)
  }
  return ask(others, rendering)
}

async function showView(view: View, rendering: Rendering): Promise<LightResponse> {
  const { context, services } = rendering
  const response = textResponse(view.status, await services.render(view, context), 'text/html; charset=utf-8')
  for (const [name, value] of Object.entries(view.headers)) response.headers.set(name, value)
  return answer(response, rendering)
}

function answer(made: unknown, { failure, context, services }: Rendering): LightResponse {
  if (!isResponse(made))
    throw new TypeError(`Cannot respond to an error with ${shown(made)}: return a Response, a View or null`)
  const light = services.take(made, context)
  // The default of `new Response()` is 200, which would tell the client that all is well.
  const isForgotten = light.status >= 200 && light.status < 300
  const response = isForgotten
    ? new LightResponse(failure.status, light.payload, [...light.headerLines()])
    : light.detached()
  for (const [name, value] of Object.entries(failure.headers)) response.setDefault(name, value)
  return response
}

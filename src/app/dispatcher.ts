import { isPromiseLike, sentence, whenReady } from '../core/internal.ts'
import type { Container, RequestScope } from '../container/internal.ts'
import { type ActionLimits, whileArriving } from '../context/internal.ts'
import { HttpContext } from '../context/index.ts'
import { emptyResponse, isResponse, jsonResponse, textResponse } from '../http/internal.ts'
import type { InputLimits } from '../input/internal.ts'
import { PayloadTooLargeException } from '../http/index.ts'
import type { StandardSchema } from '../input/index.ts'
import type { Route } from '../routing/index.ts'
import type { UploadPlan } from '../routing/internal.ts'
import { View } from '../view/index.ts'
import type { ArgumentServices } from './action-argument.ts'
import { lastHelper } from './controller.ts'
import { hasNoBody } from './has-no-body.ts'
import { argumentReading } from './late-arguments.ts'
import { withdraw } from './withdraw.ts'
import type { Step } from './step.ts'
import type { withinTime } from './time-limit.ts'

/** What the dispatcher needs from its application. */
export interface DispatchServices extends ArgumentServices {
  /** Builds controllers. */
  readonly container: Container
  /** Renders a view. */
  readonly render: (view: View, context: HttpContext) => Promise<string>
  /** Limits of what is parsed, and the time limit of an action. */
  readonly limits: ActionLimits & InputLimits
  /** Limits the time of an action; null without a limit. */
  readonly withinTime: typeof withinTime | null
  /** Receives errors that an action throws after its time limit. */
  readonly report: (error: unknown, context: HttpContext) => void
}

/** The values of one request, for the controller that serves it. */
class ControllerScope implements RequestScope {
  readonly values: ControllerScope = this
  readonly bindings: Readonly<Record<string, object>>
  readonly #context: HttpContext

  constructor(context: HttpContext, bindings: Readonly<Record<string, object>>) {
    this.#context = context
    this.bindings = bindings
  }

  get(token: unknown): object | undefined {
    return token === HttpContext ? this.#context : undefined
  }
}

/**
 * @param services What the dispatcher needs.
 * @returns The last step of every request: it builds the controller, runs the action and turns its result into a response.
 */
export function dispatcher(services: DispatchServices): Step {
  return (context) => {
    const route = context.route()
    const dispatch = { context, services, controller: null }
    const source = context.received()
    if (source.bodyLength !== null || route.target.action.upload !== null) return dispatchTo(route, dispatch)
    // No action runs before the size of the body has been checked. GET actions do not use a body.
    const body = hasNoBody(source) ? source.finishBody().then(() => null) : source.bytes()
    return Promise.resolve(whileArriving<Uint8Array | null>(body, context)).then((bytes) => {
      // A middleware before routing may have read it by a higher limit.
      if ((bytes?.byteLength ?? 0) > source.bodyLimit) throw new PayloadTooLargeException()
      return whenReady(context.confirmIdentity(), () => dispatchTo(route, dispatch))
    })
  }
}

interface Dispatch {
  readonly context: HttpContext
  readonly services: DispatchServices
  /** The controller, once it is built. */
  controller: object | null
}

function dispatchTo(route: Route, dispatch: Dispatch): Response | Promise<Response> {
  const { upload } = route.target.action
  if (upload !== null && route.input !== null) return dispatchWithFiles(route, upload, dispatch)
  if (route.input !== null) return dispatchWithInput(route, route.input, dispatch)
  return run(route, route.args, dispatch)
}

function dispatchWithInput(
  route: Route,
  schema: StandardSchema,
  dispatch: Dispatch,
): Response | Promise<Response> {
  const { context } = dispatch
  const read = whenReady(argumentReading(), ({ actionArgument }) => actionArgument(route, schema, dispatch))
  return whenReady(whileArriving(read, context), (value) =>
    whenReady(context.confirmIdentity(), () => run(route, [...route.args, value], dispatch)),
  )
}

async function dispatchWithFiles(route: Route, upload: UploadPlan, dispatch: Dispatch): Promise<Response> {
  const { uploadArgument } = await argumentReading()
  const storage = dispatch.services.container.get(upload.rules.storage)
  const { argument, release } = await whileArriving(
    uploadArgument(route, upload, { ...dispatch, storage }),
    dispatch.context,
  )
  try {
    await dispatch.context.confirmIdentity()
    return await run(route, [...route.args, argument], dispatch)
  } finally {
    await release()
  }
}

function run(route: Route, args: readonly unknown[], dispatch: Dispatch): Response | Promise<Response> {
  const { context, services } = dispatch
  const response = respond(invoke(route, args, dispatch), dispatch)
  if (services.withinTime === null || !(response instanceof Promise)) return response
  const milliseconds = services.limits.handlerMilliseconds
  return services.withinTime(response, { milliseconds, context, report: services.report })
}

function invoke(route: Route, args: readonly unknown[], dispatch: Dispatch): unknown {
  const { context, services } = dispatch
  const controller = services.container.build(route.controller, new ControllerScope(context, route.bindings))
  // The router has checked the name against the controller's declared actions.
  const action: unknown = Reflect.get(controller, route.action)
  if (typeof action !== 'function')
    throw new TypeError(sentence`Cannot run ${route.controller.name}.${route.action}: it is not a method`)
  dispatch.controller = controller
  return Reflect.apply(action, controller, args)
}

function respond(result: unknown, dispatch: Dispatch): Response | Promise<Response> {
  if (isResponse(result)) return result
  return isPromiseLike(result) ? respondLater(result, dispatch) : convert(result, dispatch)
}

async function respondLater(result: PromiseLike<unknown>, dispatch: Dispatch): Promise<Response> {
  const value = await result
  if (isResponse(value)) return value
  const response = convert(value, dispatch)
  // Returning a promise from an async function costs three microtasks, awaiting it one.
  return response instanceof Promise ? await response : response
}

function convert(value: unknown, { context, services, controller }: Dispatch): Response | Promise<Response> {
  if (value === undefined) assertNothingForgotten(controller, context)
  if (value === null || value === undefined) return emptyResponse(204)
  if (typeof value === 'string') return textResponse(200, value, 'text/html; charset=utf-8')
  if (value instanceof View) return showView(value, context, services)
  if (typeof value === 'object' && !isBinary(value)) return convertToJson(value, context)
  const kind = Object.prototype.toString.call(value).slice(8, -1)
  throw unanswerable(
    context,
    sentence`it is a ${kind}: return a Response, a view, a string, an object, an array or nothing`,
  )
}

async function showView(view: View, context: HttpContext, services: DispatchServices): Promise<Response> {
  // The page of an error must show only what is kept: no login and no value that this request has set.
  if (view.status >= 500) withdraw(context)
  return pageResponse(await services.render(view, context), view)
}

function convertToJson(value: object, context: HttpContext): Response {
  try {
    return jsonResponse(200, value)
  } catch (cause) {
    // An exception of a getter or of `toJSON()` belongs to the application.
    if (!(cause instanceof TypeError)) throw cause
    throw unanswerable(context, cause.message, { cause })
  }
}

function assertNothingForgotten(controller: object | null, context: HttpContext): void {
  const helper = lastHelper(controller)
  if (helper === null) return
  const { controller: type, action } = context.route()
  throw new TypeError(
    sentence`Cannot respond with nothing: ${type.name}.${action} called this.${helper}() and did not return its result; write "return this.${helper}(…)", or return null for a 204`,
  )
}

function unanswerable(context: HttpContext, reason: string, options?: ErrorOptions): TypeError {
  const { controller, action } = context.route()
  return new TypeError(
    sentence`Cannot respond with what ${controller.name}.${action} returned: ${reason}`,
    options,
  )
}

function pageResponse(page: string, { status, headers }: View): Response {
  const response = textResponse(status, page, 'text/html; charset=utf-8')
  // Set through `headers`, so that the values are checked before they are sent.
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
  return response
}

// JSON would write these as an empty object or a list of numbers, which is never intended.
function isBinary(value: object): boolean {
  return value instanceof ReadableStream || ArrayBuffer.isView(value) || value instanceof Blob
}

import {
  completeMessage,
  declarationError,
  isPromiseLike,
  sentence,
  shown,
  whenReady,
} from '../core/internal.ts'
import type { HttpContext } from '../context/index.ts'
import { CloseHooks } from './close-hooks.ts'
import { reportFault } from './report-fault.ts'
import type { ResponseEvent, ResponseHook } from './response-watch.ts'
import { explainedThrow } from './thrown-value.ts'

/** Receives an unexpected error of a request. */
export type ErrorHook = (error: unknown, context: HttpContext) => void

/** The hooks of an application. A hook that fails is reported and does not stop the others. */
export class LifecycleHooks {
  readonly #error: ErrorHook[] = []
  readonly #terminate: ((context: HttpContext) => void)[] = []
  readonly #response: ResponseHook[] = []
  /** Hooks that run when the application is closed. */
  readonly closing: CloseHooks = new CloseHooks()

  /**
   * @param hook Runs for each unexpected error.
   * @throws {TypeError} If it is not a function.
   */
  onError(hook: ErrorHook): void {
    assertHook(hook, 'onError()')
    this.#error.push(hook)
  }

  /**
   * @param hook Runs after each response.
   * @throws {TypeError} If it is not a function.
   */
  onTerminate(hook: (context: HttpContext) => void): void {
    assertHook(hook, 'onTerminate()')
    this.#terminate.push(hook)
  }

  /**
   * @param hook Runs for each response.
   * @throws {TypeError} If it is not a function.
   */
  onResponse(hook: ResponseHook): void {
    assertHook(hook, 'onResponse()')
    this.#response.push(hook)
  }

  /** Whether a hook for responses exists. */
  get listensToResponses(): boolean {
    return this.#response.length > 0
  }

  /** Whether a hook for the end of requests exists. */
  get listensToTermination(): boolean {
    return this.#terminate.length > 0
  }

  /**
   * @param error What was thrown.
   * @param context Context of the request.
   */
  report(error: unknown, context: HttpContext): void {
    const fault = explained(error)
    void whenReady(completeMessage(fault), () => this.#report(fault, context))
  }

  #report(fault: unknown, context: HttpContext): void {
    if (this.#error.length === 0) reportFault(fault)
    for (const hook of this.#error)
      guard(
        () => hook(fault, context),
        (thrown) => reportFault(explained(thrown)),
      )
  }

  /**
   * @param event What became of a request.
   */
  respond(event: ResponseEvent): void {
    for (const hook of this.#response) {
      guard(
        () => hook(event),
        (error) => this.report(error, event.context),
      )
    }
  }

  /**
   * @param context Context of a request that has been answered.
   */
  terminate(context: HttpContext): void {
    for (const hook of this.#terminate) {
      guard(
        () => hook(context),
        (error) => this.report(error, context),
      )
    }
  }
}

function assertHook(hook: unknown, what: string): void {
  if (typeof hook === 'function') return
  throw declarationError(sentence`Cannot call ${what} with ${shown(hook)}: pass a function`)
}

// Reports never throw: a value that cannot be inspected is reported as it is.
function explained(thrown: unknown): unknown {
  try {
    return explainedThrow(thrown)
  } catch {
    return thrown
  }
}

// A hook may be an async function despite its type: its rejection would end the process.
function guard(hook: () => unknown, report: (error: unknown) => void): void {
  try {
    const result = hook()
    if (isPromiseLike(result)) result.then(undefined, report)
  } catch (error) {
    report(error)
  }
}

import type { HttpContext } from '../context/index.ts'

/** A part of the way of a request, with everything behind it. It may throw or reject. */
export type Step = (context: HttpContext) => Response | Promise<Response>

/** Reports a fault that no middleware waits for, and makes the response that stands for it. */
export type LateFaults = (fault: unknown, context: HttpContext) => Response

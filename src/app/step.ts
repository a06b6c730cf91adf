import type { HttpContext } from '../context/index.ts'

/** A step of the pipeline together with everything after it. It may throw or reject. */
export type Step = (context: HttpContext) => Response | Promise<Response>

/** Reports an error that no middleware awaits, and returns the response for it. */
export type LateFaults = (fault: unknown, context: HttpContext) => Response | Promise<Response>

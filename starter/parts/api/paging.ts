import type { HttpContext } from 'sallyport'
import { z } from 'zod'

const DEFAULT_LIMIT = 50

/** @returns What `limit` must be: a number from 1 on. Default: 50. */
export function pageLimit(most: number): z.ZodType<number> {
  return z
    .string()
    .regex(/^[1-9]\d{0,2}$/)
    .transform(Number)
    .pipe(z.number().max(most))
    .default(DEFAULT_LIMIT)
}

/** @returns The time in UTC as RFC 3339 has it. */
export function toIso(timestamp: number): string {
  return new Date(timestamp * 1000).toISOString().replace('.000Z', 'Z')
}

/** A page of a list. */
export interface ListPage {
  /** Members of the response. */
  readonly body: Readonly<Record<string, unknown>>
  /** Name of the route. */
  readonly route: string
  /** Query of the first page. */
  readonly first: Readonly<Record<string, string | number>>
  /** What the query of the next page has besides; null at the end. */
  readonly next: Readonly<Record<string, string | number>> | null
}

/**
 * @returns The response: it names the next page as a member and, with the first one, in the header `Link`.
 * @see RFC 8288
 */
export function listResponse(context: HttpContext, { body, route, first, next }: ListPage): Response {
  const links = [`<${context.url(route, first)}>; rel="first"`]
  const path = next === null ? null : context.url(route, { ...first, ...next })
  if (path !== null) links.push(`<${path}>; rel="next"`)
  return Response.json({ ...body, next: path }, { headers: { link: links.join(', ') } })
}

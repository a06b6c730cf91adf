import type { HttpContext } from 'sallyport'
import { HttpException, type Middleware, type Next } from 'sallyport/http'
import { ValidationException } from 'sallyport/input'
import { Refusal } from '../domain/refusal.ts'

/** Answers refusals as the specification of the API has it: `{ errors: { title: ["can't be blank"] } }`. */
export class ApiErrors implements Middleware {
  async process(_context: HttpContext, next: Next): Promise<Response> {
    try {
      return await next()
    } catch (error) {
      if (!(error instanceof HttpException)) throw error
      return Response.json({ errors: errorsOf(error) }, { status: error.status, headers: error.headers })
    }
  }
}

function errorsOf(error: HttpException): Record<string, string[]> {
  if (error instanceof Refusal) return { [error.subject]: [error.problem] }
  if (!(error instanceof ValidationException)) return { request: [error.message] }
  const errors: Record<string, string[]> = {}
  // The field "article.title" is "title" here.
  for (const { field, fallback } of error.violations)
    (errors[field?.split('.').at(1) ?? 'request'] ??= []).push(fallback)
  return errors
}

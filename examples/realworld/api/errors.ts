import type { ErrorRenderer, Failure } from 'sallyport'
import { Refusal } from '../domain/refusal.ts'

/** Errors as the specification of the API has them: `{ errors: { title: ["can't be blank"] } }`. */
export class ApiErrors implements ErrorRenderer {
  render({ status, message, exception, violations }: Failure): Response {
    const errors: Record<string, string[]> = {}
    // The field "article.title" is "title" here.
    for (const { field, fallback } of violations)
      (errors[field?.split('.').at(1) ?? 'request'] ??= []).push(fallback)
    if (exception instanceof Refusal) errors[exception.subject] = [exception.problem]
    else if (violations.length === 0) errors['request'] = [message]
    return Response.json({ errors }, { status })
  }
}

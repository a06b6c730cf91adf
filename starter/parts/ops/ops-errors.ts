import { type ErrorRenderer, type Failure, type HttpContext, inject } from 'sallyport'
import { prefersJson } from 'sallyport/http'
import { Translator } from 'sallyport/i18n'
import { OPS_INSECURE } from './ops-gate.ts'

const WORDS: Readonly<Record<string, string>> = {
  [OPS_INSECURE]: 'ops.insecure',
  ERR_AUTH_UNAUTHORIZED: 'ops.credentials',
}

/** Says in plain text why the pages for operators are closed. Every other error looks as elsewhere. */
export class OpsErrors implements ErrorRenderer {
  readonly #translator = inject(Translator)

  /** @returns The sentence; null for another error, and for a client that prefers JSON, which gets the problem with its code. */
  render({ code, status, locale }: Failure, context: HttpContext): Response | null {
    if (prefersJson(context.header('accept'))) return null
    const id = Object.hasOwn(WORDS, code) ? WORDS[code] : undefined
    if (id === undefined) return null
    const headers = { 'content-type': 'text/plain; charset=utf-8' }
    return new Response(`${this.#translator.translate(locale, { id })}\n`, { status, headers })
  }
}

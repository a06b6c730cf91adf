import { match } from '@formatjs/intl-localematcher'
import { IntlMessageFormat, MissingValueError } from 'intl-messageformat'
import Negotiator from 'negotiator'
import { attachHeavyParts } from './heavy-parts.ts'
import { isTag } from './language-tag.ts'

// The matcher gets slower with each tag; no client needs more.
const MAX_WANTED = 10
// The error has no field for the name, which cannot contain a quote.
const MISSING_VALUE = /variable "([^"]+)" was not provided/

attachHeavyParts({
  match: (header, tags, fallback) => {
    const negotiator = new Negotiator({ headers: { 'accept-language': header } })
    const wanted = negotiator.languages().slice(0, MAX_WANTED).filter(isTag)
    return wanted.length === 0 ? fallback : match(wanted, tags, fallback)
  },
  compile: (locale, pattern) => new IntlMessageFormat(pattern, locale, undefined, { ignoreTag: true }),
  missingValue: (error) =>
    error instanceof MissingValueError ? MISSING_VALUE.exec(error.message)?.[1] : undefined,
})

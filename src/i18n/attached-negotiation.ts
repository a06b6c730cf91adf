import { match } from '@formatjs/intl-localematcher'
import Negotiator from 'negotiator'
import { isTag } from './language-tag.ts'
import { attachNegotiation } from './negotiation.ts'

// The matcher gets slower with each tag; no client needs more.
const MAX_WANTED = 10

attachNegotiation((header, tags, fallback) => {
  const negotiator = new Negotiator({ headers: { 'accept-language': header } })
  const wanted = negotiator.languages().slice(0, MAX_WANTED).filter(isTag)
  return wanted.length === 0 ? fallback : match(wanted, tags, fallback)
})

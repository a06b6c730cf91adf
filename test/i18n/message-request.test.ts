import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { compile } from '../cli/fixture/compile.ts'

const DECLARED = `import type {} from 'sallyport/i18n'
const en = { messages: { cart: '{count} products', home: 'Home' } } as const
type Messages = typeof en.messages
declare module 'sallyport/i18n' {
  interface RegisteredMessages extends Messages {}
}
`

const ACCEPTED = [
  "translator.translate('en', { id: 'cart', values: { count: 1 } })",
  "translator.translate('en', { id: 'home' })",
  "translator.translate('en', { id: 'required', domain: 'validation' })",
  "translator.translate('en', { id: computed, fallback: 'Unknown' })",
  "translator.has('en', { id: computed })",
]

const REFUSED = [
  ['an id that no catalogue has', "translator.translate('en', { id: 'basket' })"],
  ['a computed id without a fallback', "translator.translate('en', { id: computed })"],
  ['an id of another type', "translator.translate('en', { id: 7 })"],
]

describe('registered messages', () => {
  it('have the compiler check the ids of the domain "messages" that have no fallback [PAGE-03]', () => {
    const refused = REFUSED.map(([what, call]) => `  // @ts-expect-error -- ${what}\n  ${call}\n`).join('')
    const use = `import type { MessageId, Translator } from 'sallyport/i18n'
export function use(translator: Translator, computed: string, id: MessageId): string {
  ${ACCEPTED.join('\n  ')}
${refused}
  return translator.translate('en', { id })
}
`

    assert.equal(compile({ 'messages.ts': DECLARED, 'use.ts': use }).said, '')
  })
})

/** Compiles only: without registered messages every id is taken. @module */
import type { MessageId, Translator } from 'sallyport/i18n'

export function accepted(translator: Translator, id: MessageId, computed: string): string[] {
  return [
    translator.translate('en', { id }),
    translator.translate('en', { id: computed, values: { count: 1 } }),
    translator.translate('en', { id: computed, domain: 'validation', fallback: 'x' }),
  ]
}

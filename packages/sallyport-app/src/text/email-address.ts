import { domainToASCII, domainToUnicode } from 'node:url'
import { z } from 'zod'

// An address has one key, and two spellings of its domain: `bücher.example` for people, `xn--bcher-kva.example` in the DNS. The
// account keeps the one for people, the key and mail servers get that of the DNS.

// RFC 5321, 4.5.3.1.
const EMAIL_CHARACTERS = 254
const LOCAL_CHARACTERS = 64

// The dot-atom of RFC 5322, 3.2.3. A quoted string is refused: it may hold blanks and further `@`.
const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/
// domainToASCII() reads a host of a URL: it would decode `%2e`, and leave out what begins with `/`.
const HOST_CHARACTERS = /^[\p{L}\p{N}\p{M}\p{Cf}.。．｡-]+$/u

// Scripts that may be shown: letters of one of them are taken for no Latin ones.
const APART = ['Latin', 'Han Hiragana Katakana', 'Hangul', 'Arabic', 'Hebrew', 'Devanagari', 'Thai']
// Their letters look like Latin ones: they are shown where the whole domain is of the script, as in `пример.рф`.
const ALIKE = ['Cyrillic', 'Greek']

/** @returns Its spelling in the DNS, in lower case; undefined when it is no domain. */
export function dnsDomain(domain: string): string | undefined {
  if (!HOST_CHARACTERS.test(domain)) return undefined
  const ascii = domainToASCII(domain)
  return ascii === '' ? undefined : ascii
}

/**
 * Spells an address as mail servers take it.
 *
 * @param email The address.
 * @returns The same, with the domain as the DNS spells it.
 */
export function dnsAddress(email: string): string {
  return withDomain(email, (domain) => dnsDomain(domain) ?? domain)
}

/**
 * Spells an address as people read it. A domain that mixes scripts, or could be taken for another one, stays as in the DNS.
 *
 * @param email The address.
 * @returns The same, with the domain in its own letters.
 */
export function readableAddress(email: string): string {
  return withDomain(email, (domain) => {
    if (/^[\w.-]*$/.test(domain) && !/(^|\.)xn--/i.test(domain)) return domain
    const ascii = dnsDomain(domain)
    if (ascii === undefined) return domain
    const readable = domainToUnicode(ascii)
    return isPlain(readable) && domainToASCII(readable) === ascii ? readable : ascii
  })
}

/**
 * The field of a form for a new address: `ada@bücher.example` and its spelling in the DNS are the same. The part before the `@` has
 * letters of ASCII only, because many mail servers take no others (RFC 6531). What is refused has a violation of the format `email` or
 * `mailbox`.
 */
export const emailField: z.ZodType<string> = z
  .string()
  .trim()
  .max(EMAIL_CHARACTERS)
  .pipe(z.stringFormat('email', hasDomain))
  .pipe(z.stringFormat('mailbox', hasUsableMailbox))
  .transform(readableAddress)

/** A form for an address alone. */
export interface AddressForm {
  /** As people read it. */
  readonly email: string
}

/** What is in {@link AddressForm}. */
export const addressForm: z.ZodType<AddressForm> = z.object({ email: emailField })

function hasDomain(email: string): boolean {
  const at = email.lastIndexOf('@')
  const domain = dnsDomain(email.slice(at + 1))
  return at > 0 && domain !== undefined && DOMAIN.test(domain) && at + 1 + domain.length <= EMAIL_CHARACTERS
}

function hasUsableMailbox(email: string): boolean {
  const local = email.slice(0, email.lastIndexOf('@'))
  return local.length <= LOCAL_CHARACTERS && LOCAL_PART.test(local)
}

function isPlain(domain: string): boolean {
  const labels = domain.split('.')
  if (ALIKE.some((script) => labels.every((label) => isOf(script, label)))) return true
  return labels.every((label) => APART.some((scripts) => isOf(scripts, label)))
}

function isOf(scripts: string, label: string): boolean {
  const letters = scripts.split(' ').map((script) => String.raw`\p{Script=${script}}`)
  return new RegExp(`^[${letters.join('')}\\p{N}\\p{M}ー-]+$`, 'u').test(label)
}

function withDomain(email: string, change: (domain: string) => string): string {
  const at = email.lastIndexOf('@') + 1
  return email.slice(0, at) + change(email.slice(at))
}

/**
 * Normalizes an e-mail address for lookups and limits. Only ASCII letters are lower-cased: lower-casing `K` (Kelvin) gives `k`, and the
 * two mailboxes may belong to different people. The domain is converted to its DNS form.
 *
 * @param email The address, in any spelling.
 * @returns The same key for all spellings of one address.
 */
export function emailKey(email: string): string {
  const trimmed = email.trim()
  const at = trimmed.lastIndexOf('@')
  const domain = trimmed.slice(at + 1)
  // Some browsers send the DNS form, others what was typed.
  const name = /^[!-~]*$/.test(domain) ? domain : (dnsDomain(domain) ?? domain)
  return lowerCase(trimmed.slice(0, at + 1) + name)
}

function lowerCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

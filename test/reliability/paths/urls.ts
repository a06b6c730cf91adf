/**
 * Random URLs for an application: aimed at what it declares, made of words, or one of these and then spoilt.
 *
 * @module
 */
import {
  type ApplicationDraft,
  type ModuleDraft,
  type ParameterDraft,
  pathsOf,
  type StepDraft,
} from './draft.ts'
import { actionOf } from './oracle-table.ts'
import type { Random } from './random.ts'

/** A request as a client sends it. */
export interface Asked {
  readonly method: string
  readonly path: string
}

const METHODS = ['GET', 'GET', 'GET', 'GET', 'POST', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'] as const
const VALUES = [
  'a',
  'b',
  'ab',
  'me',
  '5',
  '0',
  '-1',
  '05',
  '1.5',
  '1e3',
  'true',
  '1',
  'cart',
  'A',
  'é',
  'a/b',
  'x y',
  '%',
  '@',
  'a-b',
  'x.json',
  '-x',
  '9007199254740993',
  'index',
  '😀',
  'fr',
  '.a',
] as const
const WORDS = [
  'a',
  'b',
  'A',
  'é',
  'cart',
  'Cart',
  'index',
  'Index',
  'add',
  'add-post',
  'addPost',
  'item',
  'about-us',
  'aboutUs',
  'ABOUTUS',
  'order-line',
  'orderLine',
  'last',
  'lastpost',
  'reports',
  'typed-int',
  'typedInt',
  'typedint',
  'me',
  '5',
  'x',
  'page',
  'feed.xml',
  'promo',
  'deep',
  'news',
  '__invoke',
  'constructor',
  '__proto__',
  'shop',
  'Shop',
  'SHOP',
  'boutique',
  'blog',
  'fr',
  'FR',
  'en',
  'de',
  'fr-ca',
  'fr-CA',
  'adm',
] as const
const ODDITIES = [
  '%',
  '%zz',
  '%2',
  '%00',
  '%0a',
  '%7f',
  '%C2%85',
  '%c0%af',
  '%ED%A0%80',
  '%EF%BB%BF',
  '%2e',
  '%2E%2e',
  '.',
  '..',
  '...',
  '',
  '%2F',
  '%2f',
  '%5c',
  '\\',
  ';x=1',
  '*',
  '\u0000',
  '\n',
  '\ud800',
  '\udc00',
  '\u0085',
  'ſhop',
  'K',
  '%25',
  '%2561',
  '%F0%9F%98%80',
  '%f0%9f%98%80',
  ':',
  '|',
  '"',
  '<',
  '{p}',
] as const
const FITTING: Readonly<Record<ParameterDraft['kind'], readonly string[]>> = {
  string: [
    'a',
    'b',
    'ab',
    'cart',
    'index',
    '%C3%A9',
    'a%2Fb',
    'x%20y',
    '%40',
    '@',
    'a-b',
    'x.json',
    '5',
    'add',
  ],
  int: ['0', '1', '42', '-7', '9007199254740991'],
  float: ['0', '1.5', '-2e3', '42'],
  bool: ['true', 'false', '1', '0'],
}
const LONG = 65_536

/**
 * @param random Chance.
 * @param application What the URL is for.
 * @returns A request.
 */
export function generateRequest(random: Random, application: ApplicationDraft): Asked {
  const roll = random.next()
  if (roll < 0.0005) return { method: 'GET', path: longPath(random) }
  const { method, path } =
    roll < 0.85 ? aimed(random, application) : { method: random.pick(METHODS), path: wordyPath(random) }
  return {
    method: random.chance(0.8) ? method : random.pick(METHODS),
    path: random.chance(0.3) ? mutate(random, path) : path,
  }
}

/**
 * @param random Chance.
 * @param path A path.
 * @returns Another spelling of it, where a slash, the case of a word or an escape makes the difference; it may be the
 * same path, and in a value it may be another value.
 */
export function respell(random: Random, path: string): string {
  const letters = [...path.matchAll(/(?<!%[0-9A-F]?)[A-Za-z0-9]/g)]
  const { index = 0 } = letters.length === 0 ? {} : random.pick(letters)
  switch (random.below(4)) {
    case 0:
      return path.endsWith('/') ? path.slice(0, -1) || '/' : `${path}/`
    case 1:
      return letters.length === 0
        ? path
        : path.slice(0, index) + escaped(path[index] ?? '') + path.slice(index + 1)
    case 2:
      return path.replaceAll(/%[0-9A-F]{2}/g, (escape) =>
        random.chance(0.5) ? escape.toLowerCase() : halfLowered(random, escape),
      )
    default:
      // 1e3 and 1E3 are one number, and both are what a float takes.
      return path.replace(/^\/[^/0-9]+(?=\/|$)/, (first) => first.toUpperCase())
  }
}

function wordyPath(random: Random): string {
  const count = random.below(5)
  const words = Array.from({ length: count }, () => random.pick(random.chance(0.05) ? ODDITIES : WORDS))
  return `/${words.join('/')}${random.chance(0.25) ? '/' : ''}`
}

function longPath(random: Random): string {
  const piece = random.pick([
    'a',
    '%61',
    '%C3%A9',
    '%',
    '/a',
    '/',
    '../',
    './',
    '/promo',
    '%2F',
    'é',
    '%25',
    'a-',
    ';',
  ])
  return `/${random.pick(['', 'a/', 'shop/', 'promo/', 'cart/add/'])}${piece.repeat(Math.ceil(LONG / piece.length))}`
}

function aimed(random: Random, { modules, locales, prefixes, policy }: ApplicationDraft): Asked {
  const module = random.pick(modules)
  const claims = module.steps.filter((step) => step.kind === 'claim')
  const claim = claims.length > 0 && random.chance(0.35) ? random.pick(claims) : null
  const locale = random.pick(locales)
  // The segment of one locale below the prefix of another, now and then.
  const other = random.chance(0.9) ? locale : random.pick(locales)
  const base = claim === null ? mountOf(module, other) : inLocale(claim.path, other)
  const isPrefixed = prefixes && random.chance(module.localized ? 0.8 : 0.1)
  const { method, path } = random.chance(0.6)
    ? routeRequest(random, module, claim)
    : conventionalRequest(random, module)
  const whole = `${isPrefixed ? `/${locale.toLowerCase()}` : ''}${base === '/' ? '' : base}${path}`
  const bare = whole.replace(/\/$/, '')
  const wantsSlash = random.chance(policy === 'add' ? 0.85 : policy === 'remove' ? 0.15 : 0.4)
  return { method, path: `${bare}${wantsSlash ? '/' : ''}` || '/' }
}

function mountOf({ mount, segment }: ModuleDraft, locale: string): string {
  const own = mount === null ? segment : inLocale(mount, locale)
  return own.startsWith('/') ? own : `/${own}`
}

function inLocale(path: string | Readonly<Record<string, string>>, locale: string): string {
  return typeof path === 'string' ? path : (path[locale] ?? Object.values(path)[0] ?? '')
}

function routeRequest(
  random: Random,
  module: ModuleDraft,
  claim: (StepDraft & { kind: 'claim' }) | null,
): Asked {
  const routes = claim?.routes ?? module.steps.flatMap((step) => (step.kind === 'table' ? step.routes : []))
  if (routes.length === 0) return conventionalRequest(random, module)
  const route = random.pick(routes)
  const [, path] = random.pick(pathsOf(route))
  const { parameters } = actionOf(route.handler, module.controllers)
  const pieces = path.split(/\{(\w+)\}/).map((piece, index) => {
    const parameter = index % 2 === 1 ? parameters.find(({ name }) => name === piece) : undefined
    return parameter === undefined ? encodePath(piece) : valueOf(random, parameter, route.where[piece])
  })
  return { method: random.pick(route.methods), path: pieces.join('') }
}

function valueOf(random: Random, { kind, role }: ParameterDraft, constraint: string | undefined): string {
  if (random.chance(0.15)) return encodeURIComponent(random.pick(VALUES))
  if (role === 'rest') return [random.pick(FITTING[kind]), random.pick(FITTING[kind])].join('/')
  if (kind === 'string' && constraint === '[a-z/]+') return random.pick(['a', 'ab/b', 'a/b/ab'])
  return random.pick(kind === 'string' && constraint !== undefined ? ['a', 'ab', 'me', 'b'] : FITTING[kind])
}

function conventionalRequest(random: Random, { controllers }: ModuleDraft): Asked {
  const controller = random.pick(controllers)
  if (controller.actions.length === 0) return { method: 'GET', path: `/${controller.segment}` }
  const { segment, verb, parameters, method } = random.pick(controller.actions)
  const isDefault = segment === 'index' || method === '__invoke'
  const words: string[] = []
  if (controller.segment !== 'index' || !isDefault || random.chance(0.3)) words.push(controller.segment)
  if (!isDefault || random.chance(0.3)) words.push(segment)
  for (const parameter of parameters)
    if (parameter.role === 'required' || random.chance(0.5)) words.push(valueOf(random, parameter, undefined))
  if (random.chance(0.08)) words.push(encodeURIComponent(random.pick(VALUES)))
  return { method: verb ?? 'GET', path: words.map((word) => `/${word}`).join('') }
}

function encodePath(text: string): string {
  return text.split('/').map(encodeURIComponent).join('/')
}

function mutate(random: Random, path: string): string {
  let mutated = path
  const turns = random.pick([1, 1, 1, 2, 3])
  for (let turn = 0; turn < turns; turn++) mutated = mutateOnce(random, mutated)
  return mutated.replaceAll(/[?#]/g, '')
}

function mutateOnce(random: Random, path: string): string {
  const at = random.below(path.length)
  const character = path[at] ?? ''
  const replace = (text: string): string => path.slice(0, at) + text + path.slice(at + 1)
  const insert = (text: string): string => path.slice(0, at) + text + path.slice(at)
  switch (random.below(16)) {
    case 0:
      return replace(escaped(character))
    case 1:
      return replace(escaped(character).toUpperCase())
    case 2:
      return replace(
        character === character.toLowerCase() ? character.toUpperCase() : character.toLowerCase(),
      )
    case 3:
      return path.toUpperCase()
    case 4:
      return insert(random.pick(ODDITIES))
    case 5:
      return path.replace(/\/(?=[^/]*$)/, () => `/${random.pick(ODDITIES)}/`)
    case 6:
      return replace('/')
    case 7:
      return path.endsWith('/') ? path.slice(0, -1) || '/' : `${path}/`
    case 8:
      return path.replace(/^\/[^/]*/, '') || '/'
    case 9:
      return `/${random.pick(WORDS)}${path}`
    case 10:
      return `${path.replace(/\/$/, '')}/${random.pick(WORDS)}`
    case 11:
      return path.replaceAll(/%([0-9A-F]{2})/g, (escape) => escape.toLowerCase())
    case 12:
      return insert('%'.repeat(1 + random.below(40)))
    case 13:
      return path.replace(/[^/]+$/, (last) => last.replaceAll('-', ''))
    case 14:
      return foreignCase(random, path)
    default:
      return path.replaceAll(/%([0-9A-F]{2})/g, (escape) => halfLowered(random, escape))
  }
}

// Letters that Unicode takes for another case of an ASCII letter, or that become several letters in another case.
const CASE_PAIRS: Readonly<Record<string, string>> = {
  k: '\u212a',
  s: '\u017f',
  i: '\u0131',
  I: '\u0130',
  K: '\u212a',
}

/** HOLD-37: one letter that has a foreign other case is written so, as itself or encoded. */
function foreignCase(random: Random, path: string): string {
  const places = [...path.matchAll(/(?<!%[0-9A-F]?)[ksiIK]/g)]
  if (places.length === 0) return path
  const { index, 0: letter } = random.pick(places)
  const foreign = CASE_PAIRS[letter] ?? letter
  const written = random.chance(0.5) ? foreign : escaped(foreign)
  return path.slice(0, index) + written + path.slice(index + 1)
}

// An escape of which one digit alone is small, such as %Bb.
function halfLowered(random: Random, escape: string): string {
  const [first = '', second = ''] = escape.slice(1)
  return random.chance(0.5) ? `%${first.toLowerCase()}${second}` : `%${first}${second.toLowerCase()}`
}

function escaped(character: string): string {
  const bytes = [...Buffer.from(character)]
  return bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
}

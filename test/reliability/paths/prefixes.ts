/**
 * Prefixes that gates are placed on, and what is below one of them: HOLD-29, read from the clause alone.
 *
 * @module
 */
import type { ApplicationDraft, PathDraft } from './draft.ts'
import { pathsOf } from './draft.ts'
import type { Answer } from './oracle.ts'
import { lowered, readPath } from './oracle-path.ts'
import type { Random } from './random.ts'

/**
 * @param random Chance.
 * @param draft An application.
 * @param wanted How many.
 * @returns Beginnings of its URLs: mounts, claims, controllers and actions below them, routes; with a locale now and then.
 */
export function generatePrefixes(
  random: Random,
  { modules, locales, prefixes }: ApplicationDraft,
  wanted: number,
): readonly PathDraft[] {
  const all = modules.flatMap((module): PathDraft[] => {
    const mounts = [module.mount ?? module.segment].flatMap((mount) => every(mount)).map(slashed)
    const controllers = module.controllers.map(({ segment }) => `/${segment}`)
    const actions = module.controllers.flatMap(({ segment, actions: own }) =>
      own.map((action) => `/${segment}/${action.segment}`),
    )
    const routes = module.steps
      .flatMap((step) => (step.kind === 'resolver' ? [] : step.routes))
      .flatMap((route) => pathsOf(route).map(([, path]) => path.replace(/\/[^/]*\{.*$/, '')))
    const below = [...controllers, ...actions, ...routes]
    const claims = module.steps.flatMap((step) => (step.kind === 'claim' ? [step.path] : []))
    const maps = [
      ...claims,
      ...(typeof module.mount === 'object' && module.mount !== null ? [mapped(module.mount)] : []),
    ]
    return [
      ...maps,
      ...claims.flatMap(every),
      ...mounts.flatMap((mount) => [mount, ...below.map((path) => (mount === '/' ? '' : mount) + path)]),
    ]
  })
  return Array.from({ length: wanted }, () => {
    const prefix = random.pick(all)
    if (typeof prefix !== 'string') return prefix
    const spelled = random.chance(0.1) ? prefix.toUpperCase() : prefix
    return prefixes && random.chance(0.15)
      ? `/${random.pick(locales).toLowerCase()}${spelled}`
      : spelled || '/'
  })
}

/**
 * @param answer What becomes of a URL.
 * @param sent The URL.
 * @param prefix A prefix.
 * @param draft The application.
 * @returns Whether the URL is served or redirected below the prefix.
 */
export function isServedBelow(
  answer: Answer,
  sent: string,
  { prefix, draft }: { readonly prefix: PathDraft; readonly draft: ApplicationDraft },
): boolean {
  if (answer.kind === 'notFound' || answer.kind === 'badRequest') return false
  // A wrong method is refused where it stands, which is below the prefix in whatever spelling.
  const paths = answer.kind === 'redirect' ? [answer.location] : [sent]
  return paths.some((path) => every(prefix).some((each) => begins(path, each, draft)))
}

/**
 * @param sent A URL.
 * @param prefix A prefix.
 * @param draft The application.
 * @returns Whether anybody could take the URL for one below the prefix, its letter case, locale, hyphens and oddities aside.
 */
export function resembles(sent: string, prefix: PathDraft, draft: ApplicationDraft): boolean {
  const plain = (text: string): string => lowered(text).replaceAll('-', '')
  const words = (all: readonly string[]): readonly string[] => withoutLocale(all, draft).map(plain)
  const spellings = [looseWords(sent), ...splitWords(sent)].map(words)
  return every(prefix).some((each) => {
    const wanted = words(looseWords(each))
    const isLike = spellings.some((own) => wanted.every((word, index) => own[index] === word))
    return typeof readPath(sent) === 'number' || isLike
  })
}

// What an action that joins segments may make of an encoded slash: a separator, with dot segments in it.
function splitWords(path: string): readonly (readonly string[])[] {
  const words = looseWords(looseWords(path).join('/'))
  const resolved: string[] = []
  for (const word of words) {
    if (word === '..') resolved.pop()
    else if (word !== '.') resolved.push(word)
  }
  return [words.filter((word) => word !== '.' && word !== '..'), resolved]
}

function begins(path: string, prefix: string, draft: ApplicationDraft): boolean {
  const read = readPath(path)
  if (typeof read === 'number') return false
  const wanted = looseWords(prefix)
  const isBelow = (segments: readonly string[]): boolean =>
    wanted.every((word, index) => word === segments[index])
  // A prefix that begins with a locale stands for that one: `/en/fr` is not in French.
  const isOfOneLocale = withoutLocale(wanted, draft) !== wanted
  return isBelow(read.segments) || (!isOfOneLocale && isBelow(withoutLocale(read.segments, draft)))
}

function withoutLocale(
  segments: readonly string[],
  { prefixes, locales }: ApplicationDraft,
): readonly string[] {
  const [first = ''] = segments
  const isLocale = prefixes && locales.some((tag) => lowered(tag) === lowered(first))
  return isLocale ? segments.slice(1) : segments
}

function looseWords(path: string): readonly string[] {
  const words = path.split('/').filter((word) => word !== '')
  return words.map((word) => {
    try {
      return decodeURIComponent(word)
    } catch {
      return word
    }
  })
}

function every(path: PathDraft): readonly string[] {
  return typeof path === 'string' ? [path] : Object.values(path)
}

function slashed(segment: string): string {
  return segment.startsWith('/') ? segment : `/${segment}`
}

function mapped(mount: Readonly<Record<string, string>>): PathDraft {
  return Object.fromEntries(Object.entries(mount).map(([locale, segment]) => [locale, slashed(segment)]))
}

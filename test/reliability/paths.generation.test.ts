import assert from 'node:assert/strict'
import { describe, it, mock, type TestContext } from 'node:test'

import { RoutingException, type UrlParams } from 'sallyport/routing'

import { figure, sized, NONE } from './figure.ts'
import { build, type BuiltApplication } from './paths/build.ts'
import type { ApplicationDraft, ModuleDraft, ParameterDraft, RouteDraft } from './paths/draft.ts'
import { pathsOf } from './paths/draft.ts'
import { generateApplication, OTHER_PROFILES, PROFILES } from './paths/generate.ts'
import { Oracle } from './paths/oracle.ts'
import { actionOf, coerce } from './paths/oracle-table.ts'
import { Random, seedOf } from './paths/random.ts'
import { ActionWriter } from '../../src/routing/generation/action-writer.ts'
import { PathWriter } from '../../src/routing/generation/path-writer.ts'
import type { Generation } from '../../src/routing/generation/generation.ts'
import { loadCertainty } from '../../src/routing/generation/late-certainty.ts'

// Applications have it soon after their first URL.
await loadCertainty()

const SEED = seedOf('PATHS_SEED')
const CASES = sized(4000, 100_000)
const COMPARED = sized(8000, 1_000_000)
const TURNS = 6
// Without what they know, each URL is matched.
const WRITERS = [PathWriter.prototype, ActionWriter.prototype]
const REFUSALS = ['missing-parameter', 'invalid-parameter', 'locale-variant-missing'] as const

type Value = string | number | boolean | bigint | null | undefined | readonly string[]

const TEXTS = [
  'a',
  'b',
  'ab',
  'me',
  'cart',
  'index',
  'add',
  'x.json',
  'a-b',
  'x',
  'fr',
  'shop',
  '5',
  '0',
  'true',
  '1.5',
] as const
const ODD_TEXTS = [
  '',
  '.',
  '..',
  'a/b',
  '/',
  '//',
  '/a',
  'a/',
  '%',
  '%2F',
  '%00',
  'é',
  '😀',
  'a b',
  '?',
  '#',
  '&=+',
  '\\',
  '\u0000',
  '\n',
  '\u0085',
  '\ud800',
  '\u202e',
  '-0',
  '1e3',
  '01',
  'e\u0301',
  'x'.repeat(3000),
] as const
const ODD_VALUES: readonly Value[] = [
  0,
  -0,
  7,
  -7,
  1.5,
  1e21,
  1e-7,
  NaN,
  Infinity,
  true,
  false,
  12n,
  null,
  undefined,
  ['a', 'b'],
  [],
]

/** A value of each type, so that a new type is generated too. */
const FITTING: Record<ParameterDraft['kind'], (random: Random) => Value> = {
  string: (random) => random.pick(TEXTS),
  int: (random) => random.below(1000) - 20,
  float: (random) => random.below(1000) / 8,
  bool: (random) => random.chance(0.5),
}

function valueFor(random: Random, { kind, role }: ParameterDraft): Value {
  const roll = random.next()
  if (roll < 0.12) return random.pick(ODD_VALUES)
  if (roll < 0.25) return random.pick(ODD_TEXTS)
  if (role === 'rest') return kind === 'int' ? ['1', '42'] : ['a', random.pick(TEXTS)]
  return FITTING[kind](random)
}

/** What the action is to be given for the values that a URL was generated from. */
function expectedArgs({ handler, where }: RouteDraft, path: string, given: Given): readonly unknown[] {
  const args: unknown[] = []
  for (const [index, { name, kind, role }] of actionOf(
    handler,
    given.module.controllers,
  ).parameters.entries()) {
    if (!path.includes(`{${name}}`)) continue
    while (args.length < index) args.push(undefined)
    const value = given.params[name]
    const texts = role === 'rest' ? listOf(value) : [String(value)]
    // Some constraint is what makes a placeholder take several segments.
    assert.ok(role !== 'rest' || where[name] !== undefined)
    args.push(...texts.map((text) => coerce(text, kind)))
  }
  return args
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : String(value).split('/')
}

interface Given {
  readonly module: ModuleDraft
  readonly params: Readonly<Record<string, unknown>>
}

interface Subject extends BuiltApplication {
  readonly draft: ApplicationDraft
  readonly oracle: Oracle
}

/** Generates one URL and matches it again. Returns whether there is one. */
function checkUrl(
  random: Random,
  subject: Subject,
  place: { module: ModuleDraft; route: RouteDraft },
): boolean {
  const { app, draft, oracle, nameOf } = subject
  const { module, route } = place
  const { parameters } = actionOf(route.handler, module.controllers)
  const params: UrlParams = Object.fromEntries(parameters.map((each) => [each.name, valueFor(random, each)]))
  const extra: UrlParams = random.chance(0.3) ? { page: 2, 'q&': ['a b', 'é'], none: null } : {}
  const locale = random.pick([undefined, ...draft.locales])
  let url: string
  try {
    url = app.router().url(`${module.segment}:${route.name}`, { ...params, ...extra }, locale)
  } catch (error) {
    assert.ok(error instanceof RoutingException, String(error))
    assert.ok(
      REFUSALS.some((code) => code === error.code),
      error.message,
    )
    return false
  }
  const [path = '', ...query] = url.split('?')
  const [method = 'GET'] = route.methods
  const match = app.router().match(method, path)
  assert.ok(match.kind === 'found', `${url} is ${match.kind}`)
  assert.equal(match.route.name, route.name, url)
  assert.equal(nameOf(match.route.controller), route.handler.controller, url)
  const declared = pathsOf(route).find(
    ([tag]) => tag === null || tag === (match.route.locale ?? draft.locales[0]),
  )?.[1]
  assert.deepEqual(match.route.args, expectedArgs(route, declared ?? '', { module, params }), url)
  const said = oracle.answer(method, path)
  assert.ok(said.kind === 'found' && said.name === route.name && said.module === module.name, url)
  const kept = new URLSearchParams(query.join('?'))
  if (Object.keys(extra).length > 0)
    assert.deepEqual([kept.getAll('page'), kept.getAll('q&'), kept.has('none')], [['2'], ['a b', 'é'], false])
  return true
}

describe('the URLs that random applications generate', () => {
  it('each reaches its own route with the values it was given and no redirect, or is refused [R-54]', async (t) => {
    let generated = 0
    let refused = 0
    for (let index = 0; generated < CASES; index++) {
      const random = new Random(SEED + index * 104_729)
      const draft = withoutResolvers(
        generateApplication(random, random.pick([...PROFILES, ...OTHER_PROFILES])),
      )
      const subject = { ...(await build(draft)), draft, oracle: new Oracle(draft) }
      for (const place of placesOf(draft)) {
        for (let turn = 0; turn < TURNS; turn++) {
          try {
            if (checkUrl(random, subject, place)) generated++
            else refused++
          } catch (error) {
            const where = `PATHS_SEED=${SEED}, application ${index}, ${place.module.segment}:${place.route.name}`
            throw new Error(`${where}\n${JSON.stringify(draft)}`, { cause: error })
          }
        }
      }
    }

    const what = `of ${generated} URLs not reaching their route with their values, ${refused} more refused (seed ${SEED})`
    figure(t, 'R-54', { what, value: NONE, goal: '0' })
    assert.ok(refused < generated * 3)
  })
})

function placesOf({ modules }: ApplicationDraft): readonly { module: ModuleDraft; route: RouteDraft }[] {
  return modules.flatMap((module) =>
    module.steps.flatMap((step) =>
      step.kind === 'resolver' ? [] : step.routes.map((route) => ({ module, route })),
    ),
  )
}

interface Said {
  readonly said: string
  /** Whether the URL was matched before it was handed out. */
  readonly isMatched: boolean
}

/** What generation says, with and without what it found out beforehand. */
function bothWays(app: BuiltApplication['app'], generate: (generation: Generation) => string): [Said, Said] {
  const { generation, resolution } = app.router().model()
  const verify = resolution.verify.bind(resolution)
  const say = (isKnown: boolean): Said => {
    let isMatched = false
    resolution.verify = (method, path) => {
      isMatched = true
      return verify(method, path)
    }
    const withheld = isKnown ? [] : WRITERS.map((writer) => mock.method(writer, 'write', () => null))
    try {
      return { said: generate(generation), isMatched }
    } catch (error) {
      assert.ok(error instanceof RoutingException, String(error))
      return { said: `${error.code}: ${error.message}`, isMatched }
    } finally {
      resolution.verify = verify
      for (const { mock: replaced } of withheld) replaced.restore()
    }
  }
  // A match is what it learns from.
  const matched = say(false)
  return [say(true), matched]
}

/** How many URLs were compared, and how many of those that were given had to be matched. */
class Comparison {
  compared = 0
  written = 0
  matched = 0

  add([one, other]: [Said, Said], where: string): void {
    assert.equal(one.said, other.said, where)
    this.compared++
    if (!one.said.startsWith('/')) return
    this.written++
    if (one.isMatched) this.matched++
  }

  report(t: TestContext, what: string): void {
    const value = `${Math.round((100 * this.matched) / this.written)} %`
    figure(t, 'R-54', {
      what: `of ${this.written} ${what} matched before they are given`,
      value,
      goal: 'few',
    })
    assert.ok(this.matched < this.written / 2, `${this.matched} of ${this.written}`)
  }
}

describe('what generation knows beforehand', () => {
  it('it says of all values what it says when it matches each URL, and matches few [R-54]', async (t) => {
    const [routes, actions] = [new Comparison(), new Comparison()]
    for (let index = 0; routes.compared + actions.compared < COMPARED; index++) {
      const random = new Random(SEED + index * 15_485_863)
      const draft = generateApplication(random, random.pick([...PROFILES, ...OTHER_PROFILES]))
      const { app } = await build(draft)
      const where = `PATHS_SEED=${SEED}, application ${index}`
      compareRoutes(random, { app, draft, where, into: routes })
      compareActions(random, { app, draft, where, into: actions })
    }

    routes.report(t, 'URLs of routes')
    actions.report(t, 'conventional URLs')
  })
})

interface Compared {
  readonly app: BuiltApplication['app']
  readonly draft: ApplicationDraft
  readonly where: string
  readonly into: Comparison
}

function compareRoutes(random: Random, { app, draft, where, into }: Compared): void {
  const words = draft.modules.flatMap(wordsOf)
  for (const { module, route } of placesOf(draft)) {
    const { parameters } = actionOf(route.handler, module.controllers)
    const name = `${module.segment}:${route.name}`
    for (let turn = 0; turn < TURNS; turn++) {
      const params: UrlParams = Object.fromEntries(
        parameters.map((each) => [
          each.name,
          random.chance(0.4) ? respelled(random, random.pick(words)) : valueFor(random, each),
        ]),
      )
      const locale = random.pick([undefined, ...draft.locales])
      const said = bothWays(app, (generation) => generation.url(name, params, locale))
      into.add(said, `${where}, ${name} ${String(JSON.stringify(params, text))}`)
    }
  }
}

function compareActions(random: Random, { app, draft, where, into }: Compared): void {
  const words = draft.modules.flatMap(wordsOf)
  for (const action of app
    .router()
    .model()
    .modules.flatMap((module) => module.actions())) {
    const { parameters, required } = action
    for (let turn = 0; turn < TURNS; turn++) {
      const count = random.chance(0.8) ? parameters.length : required + random.below(3)
      const args = Array.from({ length: count }, (_, place) => {
        const { type } = parameters[place] ?? parameters.at(-1) ?? {}
        if (random.chance(0.3)) return random.pick(ODD_VALUES)
        if (type?.name === 'string') return respelled(random, random.pick(words))
        return type?.name === 'bool' ? random.chance(0.5) : random.below(100)
      })
      const locale = random.pick([undefined, ...draft.locales])
      const said = bothWays(app, (generation) => generation.urlFor(action, args, locale))
      into.add(said, `${where}, ${action.label} ${String(JSON.stringify(args, text))}`)
    }
  }
}

function wordsOf({ segment, steps }: ModuleDraft): readonly string[] {
  const paths = steps.flatMap((step) => {
    if (step.kind === 'resolver') return []
    const claimed = step.kind === 'claim' ? step.path : ''
    const own = typeof claimed === 'string' ? [claimed] : Object.values(claimed)
    return [...own, ...step.routes.flatMap(pathsOf).map(([, path]) => path)]
  })
  return [segment, ...paths.flatMap((path) => path.split('/').filter((each) => each !== ''))]
}

function respelled(random: Random, word: string): string {
  const filled = word.replaceAll(/\{[^}]*\}/g, () => random.pick(TEXTS))
  return random.chance(0.1) ? filled.toUpperCase() : filled
}

function text(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value
}

// What a resolver answers in front of a table is its own matter, and no route's.
function withoutResolvers(draft: ApplicationDraft): ApplicationDraft {
  const modules = draft.modules.map((module) => ({
    ...module,
    steps: module.steps.filter(({ kind }) => kind !== 'resolver'),
  }))
  return { ...draft, modules }
}

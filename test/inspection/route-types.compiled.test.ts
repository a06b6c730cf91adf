import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { parseSync } from 'oxc-parser'

import { parameterType } from 'sallyport/routing'

import { declarationOf } from '../../src/inspection/route-types.ts'
import { compile, type Listed, listed } from '../cli/fixture/compile.ts'

// fast-check prints the seed of a failing run; this takes it back.
const GIVEN_SEED = process.env['FUZZ_SEED']
const REPLAY = GIVEN_SEED === undefined ? {} : { seed: Number(GIVEN_SEED) }

/** What is written for a type; null when it is refused. */
function taken(typescript: string): string | null {
  try {
    return parameterType({ name: 'x', pattern: 'a', parse: (text) => text, typescript }).typescript
  } catch {
    return null
  }
}

/** A route whose values stand between two of a known type. */
function between(name: string, typescript: string): Listed {
  const [id] = listed(name).parameters
  assert.ok(id !== undefined)
  const parameters = [
    { ...id, name: 'before' },
    { ...id, name: 'one', typescript },
    { ...id, name: 'many', typescript, isList: true },
    { ...id, name: 'behind', isOptional: true },
  ]
  return { ...listed(name), parameters }
}

/** What stands in a file: the members of its one type alias as a text, and whether it is without errors. */
function read(text: string): { readonly members: string; readonly isWhole: boolean } {
  const { program, errors } = parseSync('types.d.ts', text)
  const [, alias, module] = program.body
  const isOne = program.body.length === 3 && module?.type === 'TSModuleDeclaration'
  const isAlias = alias?.type === 'TSTypeAliasDeclaration' && alias.typeAnnotation.type === 'TSTypeLiteral'
  if (!isOne || !isAlias || alias.typeAnnotation.type !== 'TSTypeLiteral')
    return { members: 'something else', isWhole: errors.length === 0 }
  const members = alias.typeAnnotation.members.map((member) =>
    member.type === 'TSPropertySignature' && member.key.type === 'Identifier' ? member.key.name : member.type,
  )
  return { members: members.join(), isWhole: errors.length === 0 }
}

const WORDS =
  'string Date Map null undefined true readonly import keyof typeof infer unique asserts abstract new class this is a b get ' +
  'set static in 0 1.5 -2 3n 01'
const MARKS = String.raw`'x' "y" './day.ts' t ' " \ // /* */ | & ( ) [ ] [] { } < > => . ... , ; : ? - = <Date> [string]`
const TOKENS: readonly string[] = [
  ...WORDS.split(' '),
  ...MARKS.split(' '),
  'one: string',
  'b: number',
  '{ a: string }',
  "import('./day.ts').Day",
  '`t`',
  ' ',
  '\n',
  '\u202e',
]

const name = fc.constantFrom('Date', 'Intl.Locale', 'Day', "import('./day.ts').Day", '$a_1')
const leaf = fc.oneof(
  name,
  fc.constantFrom('string', 'null', 'bigint', "'x'", '"y"', '-1', '2.5', '3n', 'true'),
)
const { type: valid } = fc.letrec<{ type: string; list: string }>((tie) => ({
  list: fc.array(tie('type'), { minLength: 1, maxLength: 3 }).map((types) => types.join(', ')),
  type: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.tuple(tie('type'), fc.constantFrom(' | ', '&'), tie('type')).map((parts) => parts.join('')),
    tie('type').map((type) => `(${type})[]`),
    leaf.map((type) => `readonly ${type}[][]`),
    tie('list').map((list) => `readonly [${list}]`),
    fc.tuple(name, tie('list')).map(([generic, list]) => `${generic}<${list}>`),
    fc.tuple(tie('type'), tie('type')).map(([one, other]) => `{ a: ${one}; readonly b?: ${other}, }`),
  ),
}))
/** Tokens at random, and types with one token too many, too few or another one. */
const probes = fc.oneof(
  fc.array(fc.constantFrom(...TOKENS), { minLength: 1, maxLength: 6 }).map((tokens) => tokens.join(' ')),
  fc.tuple(valid, fc.nat(), fc.nat(2), fc.constantFrom(...TOKENS)).map(([type, at, cut, token]) => {
    const start = at % (type.length + 1)
    return type.slice(0, start) + token + type.slice(start + cut)
  }),
  fc.tuple(valid, fc.nat(), fc.integer({ min: 1, max: 3 })).map(([type, at, cut]) => {
    const start = at % type.length
    return type.slice(0, start) + type.slice(start + cut)
  }),
)

describe('the types of values in the declaration file', () => {
  it('are taken in each form that values have [HOLD-36]', () => {
    fc.assert(
      fc.property(valid, (type) => assert.notEqual(taken(type), null)),
      { numRuns: 500, ...REPLAY },
    )
  })

  it('leave every other member of the file as it is, or the compiler refuses the file [HOLD-36]', () => {
    const whole = new Map<string, string>()
    const broken = new Map<string, string>()
    fc.assert(
      fc.property(probes, (type) => {
        const written = taken(type)
        if (written === null) return
        const { text } = declarationOf([between('shop:x', written)], ['en'])
        const { members, isWhole } = read(text)
        const isInPlace = members === 'before,one,many,behind'
        if (isWhole) assert.ok(isInPlace, `${type}: ${members}`)
        const seen = isInPlace ? whole : broken
        seen.set(type, text)
      }),
      { numRuns: 20_000, ...REPLAY },
    )
    assert.ok(whole.size > 1000, `${whole.size} of the probes were taken and read`)
    assert.ok(broken.size > 100, `${broken.size} of the probes were taken and not read`)

    const missed = unrefused([...broken].slice(0, 200))
    assert.deepEqual(
      displaced(missed).map(([type]) => type),
      [],
    )
  })

  it('keep their place where only a check of libraries would refuse them [HOLD-36]', () => {
    const type = "import('./day.ts'[string]).Day"
    const { text } = declarationOf([between('shop:x', type)], ['en'])
    const files: readonly Declaration[] = [[type, text]]

    assert.deepEqual(displaced(files), [])
    assert.equal(displaced([[type, text.replace('before:', 'moved:')]]).length, 1)
  })
})

/** A type and the file that has it. */
type Declaration = readonly [type: string, text: string]

/**
 * The files that the compiler takes. What it says about grammar has a number below 2000; whether a name is known is not
 * asked here.
 */
function unrefused(files: readonly Declaration[]): readonly Declaration[] {
  const { said } = compile(Object.fromEntries(files.map(([, text], index) => [`types${index}.d.ts`, text])))
  const refused = new Set([...said.matchAll(/(types\d+\.d\.ts)\(.*error TS1\d{3}:/g)].map(([, file]) => file))
  return files.filter((_, index) => !refused.has(`types${index}.d.ts`))
}

/** The files whose members the compiler does not find in their place. It does not check declaration files itself. */
function displaced(files: readonly Declaration[]): readonly Declaration[] {
  if (files.length === 0) return []
  const sources: Record<string, string> = {}
  for (const [index, [, text]] of files.entries()) {
    sources[`types${index}.d.ts`] = `${text}\nexport type Members = keyof Values1\n`
    sources[`use${index}.ts`] = useOf(`./types${index}.d.ts`)
  }
  const { said } = compile(sources)
  return files.filter((_, index) => said.includes(`use${index}.ts(`))
}

function useOf(file: string): string {
  return `import type { Members } from '${file}'
type Expected = 'before' | 'one' | 'many' | 'behind'
export const all: [Members] extends [Expected] ? ([Expected] extends [Members] ? true : false) : false = true
`
}

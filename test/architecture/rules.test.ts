import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { checkDocstrings } from './docstrings.ts'
import { checkClock, checkLanguage, checkMessages, checkNormalizing, normalizing } from './language.ts'
import { checkApplicationImports, checkCycles, checkLayers, layers } from './layers.ts'
import { type Finding, parseSource, type SourceFile } from './source-file.ts'
import { checkTitles } from './titles.ts'
import { checkIndex, checkMirror, checkPlace, checkSizes } from './tree.ts'

/** `path:line message` of each finding, the form in which the architecture test names it. */
function places(findings: readonly Finding[]): string[] {
  return findings.map(({ path, line, message }) => `${path}:${line} ${message}`)
}

function asserts(findings: readonly Finding[], expected: readonly (string | RegExp)[]): void {
  const found = places(findings)
  assert.equal(found.length, expected.length, found.join('\n'))
  for (const [index, wanted] of expected.entries()) assert.match(found[index] ?? '', new RegExp(wanted))
}

describe('checkLayers()', () => {
  for (const [name, path, text, expected] of [
    ['a lower folder', 'src/auth/a.ts', `import { x } from '../session/index.ts'`, []],
    [
      'a higher folder',
      'src/session/a.ts',
      `\nimport { x } from '../auth/index.ts'`,
      [':2 session may not import auth'],
    ],
    [
      'a type of a higher folder',
      'src/core/a.ts',
      `import type { X } from '../http/index.ts'`,
      [/core may not import http/],
    ],
    [
      'a type written in place',
      'src/core/a.ts',
      `type X = import('../http/index.ts').X`,
      [/core may not import http/],
    ],
    [
      'an import at run time',
      'src/core/a.ts',
      `await import('../http/index.ts')`,
      [/core may not import http/],
    ],
    ['a re-export', 'src/core/a.ts', `export { x } from '../http/index.ts'`, [/core may not import http/]],
    [
      'past the index',
      'src/auth/a.ts',
      `import { x } from '../core/clock.ts'`,
      [/through src\/core\/index.ts/],
    ],
    ['what a folder has for others', 'src/context/a.ts', `import { x } from '../auth/internal.ts'`, []],
    [
      'what a higher folder has for others',
      'src/session/a.ts',
      `import { x } from '../auth/internal.ts'`,
      ['session may not import auth'],
    ],
    ['its own seam', 'src/auth/a.ts', `import { x } from './internal.ts'`, [/internal.ts of its own folder/]],
    [
      'a seam from the entry',
      'src/index.ts',
      `export { x } from './auth/internal.ts'`,
      [/re-exports src\/auth\/index.ts/],
    ],
    ['an extra entry', 'src/app/a.ts', `import { x } from '../view/edge.ts'`, []],
    ['its own index', 'src/auth/a.ts', `import { x } from './index.ts'`, [/index.ts of its own folder/]],
    [
      'its own index from below',
      'src/routing/table/a.ts',
      `import '../index.ts'`,
      [/index.ts of its own folder/],
    ],
    ['its own sub-folder', 'src/routing/a.ts', `import { x } from './table/compile.ts'`, []],
    [
      'the package entry',
      'src/auth/a.ts',
      `import { x } from '../index.ts'`,
      [/nothing in src imports src\/index.ts/],
    ],
    [
      'the package by name',
      'src/auth/a.ts',
      `import { x } from 'sallyport/http'`,
      [/by path, not "sallyport\/http"/],
    ],
    ['outside of src', 'src/auth/a.ts', `import { x } from '../../test/x.ts'`, [/may not import test\/x.ts/]],
    [
      'node:http',
      'src/app/a.ts',
      `import type { Server } from 'node:http'`,
      [/only src\/node knows node:http/],
    ],
    ['node:http in its place', 'src/node/a.ts', `import { createServer } from 'node:http'`, []],
    ['any index from the entry', 'src/index.ts', `export { App } from './app/index.ts'`, []],
  ] as const) {
    it(`checks an import of ${name}`, () => {
      asserts(checkLayers(parseSource(path, text)), expected)
    })
  }

  it('has a table without cycles', () => {
    assertAcyclic(layers)
  })
})

describe('checkApplicationImports()', () => {
  it('refuses a path out of the application', () => {
    const file = parseSource(
      'starter/modules/shop/a.ts',
      `import '../../main.ts'\nimport '../../../src/app/index.ts'`,
    )
    const example = parseSource('examples/world/a.ts', `import './b.ts'\nimport '../other/a.ts'`)

    asserts(checkApplicationImports(file), [/starter\/modules\/shop\/a.ts:2 .*by name/.source])
    asserts(checkApplicationImports(example), [/examples\/world\/a.ts:2 .*by name/.source])
  })
})

describe('checkCycles()', () => {
  it('names the files of a cycle of types', () => {
    const files = [
      parseSource('src/core/a.ts', `import type { B } from './b.ts'`),
      parseSource('src/core/b.ts', `export type C = import('./c.ts').C`),
      parseSource('src/core/c.ts', `\nexport { type A } from './a.ts'`),
      parseSource('src/core/d.ts', `import './a.ts'`),
    ]

    asserts(checkCycles(files), [
      'src/core/c.ts:2 import cycle: src/core/a.ts → src/core/b.ts → src/core/c.ts → src/core/a.ts',
    ])
  })

  it('finds a file that imports itself', () => {
    asserts(checkCycles([parseSource('src/core/a.ts', `import './a.ts'`)]), ['a.ts → src/core/a.ts'])
  })
})

describe('checkPlace()', () => {
  for (const [path, expected] of [
    ['src/auth/permission-set.ts', []],
    ['src/routing/table/compile.ts', []],
    ['src/index.ts', []],
    ['src/main.ts', ['only index.ts stands in src']],
    ['src/users/a.ts', ['no folder "users"']],
    ['src/routing/table/deep/a.ts', ['one level']],
    ['src/routing/table/index.ts', ['sub-folder has no index.ts']],
    ['src/auth/types.ts', ['no utils']],
    ['src/auth/utils/a.ts', ['no utils']],
    ['src/auth/PermissionSet.ts', ['kebab-case']],
  ] as const) {
    it(`checks ${path}`, () => asserts(checkPlace(path), expected))
  }
})

describe('checkMirror()', () => {
  const sources = new Set(['src/auth/a.ts', 'src/routing/table/b.ts'])

  for (const [path, expected] of [
    ['test/auth/a.test.ts', []],
    ['test/auth/a.races.test.ts', []],
    ['test/routing/table/b.test.ts', []],
    ['test/flows/login.test.ts', []],
    ['test/architecture.test.ts', []],
    ['test/auth/b.test.ts', ['there is no src/auth/b.ts']],
  ] as const) {
    it(`checks ${path}`, () => asserts(checkMirror(path, sources), expected))
  }
})

describe('checkIndex()', () => {
  const comment = '/** What it holds. @module */\n'

  for (const [name, text, expected] of [
    ['named re-exports', `${comment}export { a, type B } from './a.ts'`, []],
    ['a missing comment', `export { a } from './a.ts'`, [':1 .*module comment']],
    ['a comment of another kind', `/* @module */\nexport { a } from './a.ts'`, ['module comment']],
    ['everything', `${comment}export * from './a.ts'`, [':2 .*named re-exports only']],
    ['code', `${comment}export const a = 1`, ['named re-exports only']],
    ['an import of names', `${comment}import { a } from './a.ts'\nexport { a } from './a.ts'`, [':2 ']],
    ['an import for its effects', `${comment}import './a.ts'\nexport { a } from './a.ts'`, []],
    ['a default', `${comment}export { a as default } from './a.ts'`, ['named re-exports only']],
  ] as const) {
    it(`checks ${name}`, () => asserts(checkIndex(parseSource('src/auth/index.ts', text)), expected))
  }
})

describe('checkTitles()', () => {
  const clauses = [{ id: 'AA-01', prefix: 'AA', owner: 'fw', text: 'A sentence.' }] as const

  for (const [text, expected] of [
    [`it('works [AA-01]', () => {})`, []],
    ['it(`works with ${x} [AA-01]`, () => {})', []],
    [`it('works [R-07 OPEN-28]', () => {})`, []],
    [`it('AA-01: works', () => {})`, ['stand in brackets behind the sentence']],
    [`\nit('works [AA-01 AA-02]', () => {})`, [':2 there is no clause AA-02']],
    ['test(`${x} [AA-03]`, () => {})', ['AA-03']],
    [`it.skip('later [AA-04]', () => {})`, ['AA-04']],
    [`await t.test('a subtest [AA-05]', () => {})`, ['AA-05']],
    [`describe('a suite [AA-01]', () => {})`, ['AA-01 stands in the title of a suite']],
  ] as const) {
    it(`checks ${text.trim()}`, () =>
      asserts(checkTitles(parseSource('test/a.test.ts', text), clauses), expected))
  }
})

describe('checkSizes()', () => {
  function check(text: string): Finding[] {
    return checkSizes(parseSource('src/auth/a.ts', text))
  }

  it('allows what is just short enough', () => {
    asserts(check(`function f(a: 1, b: 2, c: 3) {${'\n'.repeat(59)}}${'\n'.repeat(340)}`), [])
    asserts(check(`// ${'\n//'.repeat(399)}`), [])
  })

  it('names a file of more than 400 lines', () => {
    asserts(check(`// ${'\n//'.repeat(400)}`), ['a.ts:1 the file has 401 lines'])
  })

  it('names a function of more than 60 lines, wherever it stands', () => {
    const body = `{${'\n'.repeat(60)}}`

    asserts(check(`\nfunction f() ${body}`), [':2 f has 61 lines'])
    asserts(check(`class C { m() ${body} }`), ['C.m has 61 lines'])
    asserts(check(`const g = () => ${body}`), ['g has 61 lines'])
  })

  it('names a call of more than three positional parameters', () => {
    asserts(check('function f(this: X, a: 1, b: 2, ...c: 3[]) {}'), [])
    asserts(check('function f(a: 1, b: 2, c?: 3, ...d: 4[]) {}'), ['f has 4 positional parameters'])
    asserts(check('class C { constructor(a: 1, b: 2, c: 3, d: 4) {} }'), ['C.constructor has 4'])
    asserts(check('interface I { m(a: 1, b: 2, c: 3, d: 4): void }'), ['I.m has 4'])
    asserts(check('abstract class C { abstract m(a: 1, b: 2, c: 3, d: 4): void }'), ['C.m has 4'])
  })

  it('allows the calls whose arguments the specification fixes, and their implementations', () => {
    asserts(check('class SessionAuthentication { login(a: 1, b: 2, c: 3, d: 4, e: 5) {} }'), [])
    asserts(check('class SqliteSessionStore { rotate(a: 1, b: 2, c: 3, d: 4) {} }'), [])
  })
})

describe('checkLanguage()', () => {
  for (const [text, expected] of [
    ['let a: unknown; let b: Record<string, never>', []],
    ['\nlet a: any', [':2 no any']],
    ['function f(a: Array<any>) {}', ['no any']],
    ['a!.b', ['no non-null']],
    ['class C { a!: string }', ['definite']],
    ['enum E { A }', ['no enum']],
    ['namespace N { export const a = 1 }', ['no namespace']],
    ['declare global { interface X {} }', ['no namespace']],
    ['class C { @d() m() {} }', ['no decorator']],
    ['class C { constructor(readonly a: string) {} }', ['parameter property']],
    ['export default 1', ['no default export']],
    ['export { a as default }; const a = 1', ['no default export']],
    ['// @ts-ignore\nconst a = 1', ['no @ts-ignore']],
    ['/* @ts-expect-error */ const a = 1', ['no @ts-expect-error']],
    ['// @ts-nocheck', ['no @ts-nocheck']],
    [`const text = 'any @ts-ignore enum'`, []],
  ] as const) {
    it(`checks ${JSON.stringify(text)}`, () =>
      asserts(checkLanguage(parseSource('src/auth/a.ts', text)), expected))
  }

  it('allows the default export of a module.ts and an expected error in test/types', () => {
    asserts(checkLanguage(parseSource('starter/modules/shop/module.ts', 'export default 1')), [])
    asserts(checkLanguage(parseSource('test/types/a.ts', '// @ts-expect-error: refused\nf(1)')), [])
  })
})

describe('checkClock()', () => {
  for (const [text, expected] of [
    ['const at = new Date(seconds * 1000).toUTCString()', []],
    ['const a = Math.max(1, 2) + other.now()', []],
    ['\nconst a = Date.now()', [':2 Date.now\\(\\)']],
    ['const read = Date.now', ['Date.now']],
    ['const a = new Date()', ['the current Date']],
    ['const a = Date()', ['the current Date']],
    ['const a = Math.random()', ['Math.random']],
  ] as const) {
    it(`checks ${JSON.stringify(text)}`, () =>
      asserts(checkClock(parseSource('src/auth/a.ts', text)), expected))
  }
})

describe('checkNormalizing()', () => {
  for (const [text, expected] of [
    ["\nconst a = b.normalize('NFC')", [':2 normalize\\(\\) stands in']],
    ['const a = b?.trim().normalize()', ['normalize']],
    ["const a = b['normalize']('NFC')", ['normalize']],
    ['const fold = String.prototype.normalize', ['normalize']],
    ["const a = normalizedText(b, 'NFC')", []],
  ] as const) {
    it(`checks ${JSON.stringify(text)}`, () =>
      asserts(checkNormalizing(parseSource('src/auth/a.ts', text)), expected))
  }

  it('lets the file that bounds the text call it', () => {
    asserts(checkNormalizing(parseSource(normalizing, 'const a = b.normalize()')), [])
  })
})

describe('checkMessages()', () => {
  for (const [text, expected] of [
    ["const a = 'Cannot listen: pass a port'", []],
    ["// a: give b\nconst a = 'names that give text'", []],
    ["\nconst a = 'Cannot listen: give a port'", [':2 a message says "pass"']],
    ['const a = `${b}: give ${c}`', ['a message says "pass"']],
    ["const advice = 'give a list'", ['a message says "pass"']],
  ] as const) {
    it(`checks ${JSON.stringify(text)}`, () =>
      asserts(checkMessages(parseSource('src/auth/a.ts', text)), expected))
  }
})

describe('checkDocstrings()', () => {
  function check(text: string, ...more: SourceFile[]): Finding[] {
    const index = parseSource('src/auth/index.ts', `export { A } from './a.ts'`)
    return checkDocstrings([index, parseSource('src/auth/a.ts', text), ...more], ['src/auth/index.ts'])
  }

  for (const [name, text, expected] of [
    ['a described class', '/** What it is. */\nexport class A {}', []],
    ['a class without one', '\nexport class A {}', ['a.ts:2 A has no docstring']],
    ['a comment of another kind', '// What it is.\nexport class A {}', ['A has no docstring']],
    ['a docstring of something else', '/** B. */\nconst b = 1\nexport class A {}', ['A has no docstring']],
    ['a docstring without a sentence', '/** @see RFC 9110 */\nexport class A {}', ['begins with a sentence']],
    ['what nobody reaches', '/** A. */\nexport class A {}\nexport class B {}', []],
    [
      'options beside a function that takes them',
      '/** O. */\nexport interface AOptions { x?: number }\n/** @param o O. */\nexport function A(o: AOptions): void {}',
      ['begins with a sentence', 'AOptions.x has no docstring'],
    ],
    ['a declaration exported below it', '/** A. */\nclass A {}\nexport { A }', []],
    ['a constant', 'export const A = 1', ['A has no docstring']],
    ['a type', 'export type A = string', ['A has no docstring']],
    ['a member', '/** A. */\nexport class A {\n  m(): void {}\n}', ['a.ts:3 A.m has no docstring']],
    ['a static field', '/** A. */\nexport class A { static readonly x = 1 }', ['A.x has no docstring']],
    ['private members', '/** A. */\nexport class A { #a = 1; private b = 2; #m() {} }', []],
    ['an option', '/** A. */\nexport interface A { x?: number }', ['A.x has no docstring']],
    ['an option of an object type', '/** A. */\nexport type A = { x?: number }', ['A.x has no docstring']],
    ['an overload', '/** A. */\nexport class A { /** M. */ m(): void; m(): void {} }', []],
    ['an override', '/** A. */\nexport class A extends B { override m(): void {} }', []],
    ['a member of the platform', '/** A. */\nexport class A implements Response { text() {} }', []],
    ['a parameter', '/** A. */\nexport function A(x = 1): void {}', ['does not tell @param x']],
    [
      'a stale parameter',
      '/** A. @param y Gone. */\nexport function A(): void {}',
      ['@param y, which does not exist'],
    ],
    ['a result', '/** A. */\nexport function A(): Promise<number> {}', ['does not tell @returns']],
    ['no result', '/** A. */\nexport function A(): Promise<void> {}', []],
    [
      'types in tags',
      '/** A. @param {string} x What. */\nexport function A(x: string): void {}',
      [/repeats types/.source],
    ],
  ] as const) {
    it(`checks ${name}`, () => {
      const findings = check(text).filter(
        ({ message }) => name !== 'types in tags' || message.includes('types'),
      )

      asserts(findings, expected)
    })
  }

  it('takes the description of a member from the interface that a class implements', () => {
    const contract = parseSource('src/auth/b.ts', 'export interface B {\n/** M. */\nm(): void\nn(): void }')

    asserts(check('/** A. */\nexport class A implements B { m(): void {}\nn(): void {} }', contract), [
      'A.n has no docstring',
    ])
  })

  it('checks what a class extends, from another file', () => {
    const base = parseSource('src/auth/b.ts', 'export class B {\nm(): void {}\n}')

    asserts(check(`import { B } from './b.ts'\n/** A. */\nexport class A extends B {}`, base), [
      'B has no docstring',
      'B.m has no docstring',
    ])
  })
})

function assertAcyclic(table: Readonly<Record<string, readonly string[]>>): void {
  const settled = new Set<string>()
  for (let before = -1; settled.size !== before;) {
    before = settled.size
    for (const [folder, allowed] of Object.entries(table)) {
      if (allowed.every((other) => settled.has(other))) settled.add(folder)
    }
  }
  assert.deepEqual(
    Object.keys(table).filter((folder) => !settled.has(folder)),
    [],
  )
}

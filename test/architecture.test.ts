import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'

import { clauseFiles, parseClauses } from '../scripts/conformance/clauses.ts'
import { checkDocstrings } from './architecture/docstrings.ts'
import {
  checkClock,
  checkLanguage,
  checkMessages,
  checkNormalizing,
  normalizing,
} from './architecture/language.ts'
import {
  checkAppLayers,
  checkApplicationImports,
  checkCycles,
  checkLayers,
  extraEntries,
} from './architecture/layers.ts'
import { readEntries, readFiles } from './architecture/project.ts'
import type { Finding, SourceFile } from './architecture/source-file.ts'
import { checkTitles } from './architecture/titles.ts'
import { checkIndex, checkMirror, checkPlace, checkSizes } from './architecture/tree.ts'

const src = readFiles('src')
const starter = readFiles('starter')
const examples = readFiles('examples')
const APP = 'packages/sallyport-app'
const app = readFiles(`${APP}/src`)
const test = readFiles('test')
const tools = [...readFiles('scripts'), ...readFiles('bench'), ...readFiles('packages')]
const paths = new Set(src.map(({ path }) => path))

function assertNone(findings: readonly Finding[]): void {
  const lines = findings.map(({ path, line, rule, message }) => `${path}:${line} ${rule}: ${message}`)
  if (lines.length > 0) assert.fail(`${lines.length} places\n${lines.join('\n')}`)
}

function isProgram({ path }: SourceFile): boolean {
  return !path.includes('/test/')
}

describe('the architecture', () => {
  it('lets a folder import only those below it, through their index.ts or internal.ts', () => {
    assertNone(src.flatMap(checkLayers))
  })

  it('lets the starter and the examples import the package by name only', () => {
    assertNone([...starter, ...examples].flatMap(checkApplicationImports))
  })

  it('lets the plumbing of applications import the framework by name, and its own folders in one order', () => {
    assertNone(app.flatMap(checkAppLayers))
  })

  it('has no import cycle, not even of types', () => {
    assertNone(checkCycles([...src, ...starter.filter(isProgram), ...examples.filter(isProgram), ...tools]))
  })

  it('keeps every file where the tree says, under a name that says what it is', () => {
    assertNone([...paths].flatMap(checkPlace))
  })

  it('has tests that mirror their subjects', () => {
    assertNone(test.flatMap(({ path }) => checkMirror(path, paths)))
  })

  it('names only clauses that exist, in titles that count', () => {
    const specification = new URL('../docs/spec/', import.meta.url)
    const clauses = parseClauses(
      ...clauseFiles.map((name) => readFileSync(new URL(name, specification), 'utf8')),
    )
    const tests = [...test, ...starter, ...readFiles(APP)].filter(({ path }) => path.endsWith('.test.ts'))

    assertNone(tests.flatMap((file) => checkTitles(file, clauses)))
  })

  it('has index files that are tables of contents', () => {
    assertNone(
      [...src, ...app].filter(({ path }) => /\/(index|internal)\.ts$/.test(path)).flatMap(checkIndex),
    )
  })

  it('keeps files, functions and parameter lists short', () => {
    assertNone([...src, ...starter, ...examples, ...tools].filter(isProgram).flatMap(checkSizes))
  })

  it('keeps files of the starter at 300 lines and 15 imports; the list of parts has one for each', () => {
    const found = starter.filter(isProgram).flatMap(({ path, text, program }) => {
      const lines = text.trimEnd().split('\n').length
      const imports = program.body.filter(({ type }) => type === 'ImportDeclaration').length
      const isLong = lines > 300 || (imports > 15 && path !== 'starter/parts.ts')
      return isLong ? [`${path}: ${lines} lines, ${imports} imports`] : []
    })

    assert.deepEqual(found, [])
  })

  it('does without any, !, @ts-ignore, default exports, enum, namespace, decorators and parameter properties', () => {
    assertNone([...src, ...starter, ...examples, ...test, ...tools].flatMap(checkLanguage))
  })

  it('takes time and chance from core', () => {
    const files = [
      ...src.filter(({ path }) => !path.startsWith('src/core/')),
      ...app,
      ...starter.filter(isProgram),
      ...examples,
    ]

    assertNone(files.flatMap(checkClock))
  })

  it('normalizes text in one place, which bounds it first [MEND-01]', () => {
    assertNone([...src, ...app, ...starter.filter(isProgram), ...examples].flatMap(checkNormalizing))
    assert.match(app.find(({ path }) => path === normalizing)?.text ?? '', /\.normalize\(/)
  })

  it('has messages that say what to pass', () => {
    assertNone([...src, ...app, ...starter.filter(isProgram)].flatMap(checkMessages))
  })

  it('describes everything that can be reached from a package entry', () => {
    assertNone(checkDocstrings(src, [...readEntries(), ...extraEntries]))
    assertNone(checkDocstrings(app, readEntries(APP)))
  })
})

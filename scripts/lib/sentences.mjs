/**
 * Moves the sentences of `sentence()` (src/core/sentence.ts) out of the code that needs one only when it refuses something:
 * a number stays, and all of them become one file.
 *
 * @module
 */
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { root } from './toolchain.mjs'

const EDITION = "'sources'"
const NONE = 'export const sentences: Sentences = []'

/**
 * @returns {import('rolldown').Plugin} A plugin that does it.
 */
export function sentences() {
  const numbers = new Map()
  for (const path of globSync('src/**/*.ts', { cwd: root }).sort())
    for (const { key } of sentencesOf(path, readFileSync(join(root, path), 'utf8')))
      if (!numbers.has(key)) numbers.set(key, numbers.size)
  const list = `[${[...numbers.keys()].join(',')}]`
  const edition = `'${createHash('sha256').update(list).digest('hex').slice(0, 8)}'`
  return {
    name: 'sentences',
    transform: {
      filter: { id: /[/\\]src[/\\].*\.ts$/ },
      handler(code, id) {
        let changed = code
        const edits = sentencesOf(id, code).flatMap(({ key, gaps }) => editsOf(numbers.get(key), gaps))
        for (const { start, end, text } of edits.sort((one, other) => other.start - one.start))
          changed = changed.slice(0, start) + text + changed.slice(end)
        if (!/[/\\]core[/\\]sentences?\.ts$/.test(id)) return changed
        return changed.replace(EDITION, edition).replace(NONE, `export const sentences: Sentences = ${list}`)
      },
    },
  }
}

/** The sentences in a file: their strings as JSON, and where the code has these, between the values. */
function sentencesOf(path, code) {
  if (!code.includes('sentence`')) return []
  const found = []
  new Visitor({
    TaggedTemplateExpression({ tag, quasi }) {
      if (tag.type !== 'Identifier' || tag.name !== 'sentence') return
      const key = JSON.stringify(quasi.quasis.map(({ value }) => value.cooked))
      const starts = [quasi.start, ...quasi.expressions.map(({ end }) => end)]
      const ends = [...quasi.expressions.map(({ start }) => start), quasi.end]
      found.push({ key, gaps: starts.map((start, index) => ({ start, end: ends[index] })) })
    },
  }).visit(parseSync(path, code).program)
  return found
}

/** Makes a call of a template: `sentence(17, value, value)`. */
function editsOf(number, gaps) {
  const last = gaps.length - 1
  return gaps.map(({ start, end }, index) => {
    const before = index === 0 ? `(${number}` : ''
    return { start, end, text: `${before}${index === last ? ')' : ', '}` }
  })
}

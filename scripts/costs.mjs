/**
 * `npm run costs`: writes the table of what the tests cost into docs/contributing.md, from the last run of each part on this
 * machine (`npm run test:all`).
 *
 * @module
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { fail, root } from './lib/toolchain.mjs'

const folder = join(root, '.tmp', 'costs')
if (!existsSync(folder)) fail('Nothing was measured yet: run npm run test:all first')

const costs = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))
const order = costs.toSorted(
  (a, b) => Number(b.isQuick) - Number(a.isQuick) || b.processorSeconds - a.processorSeconds,
)
const rows = order.map(
  ({ name, about, isQuick, files, tests, seconds, processorSeconds }) =>
    `| \`${name}\` | ${about} | ${isQuick ? 'yes' : ''} | ${files} | ${tests} | ${seconds.toFixed(0)} s | ${processorSeconds.toFixed(0)} s |`,
)
const table = [
  '| part | about | in `npm test` | files | tests | wall time of its processes | processor time |',
  '|---|---|---|--:|--:|--:|--:|',
  ...rows,
].join('\n')

const guide = join(root, 'docs', 'contributing.md')
const [begin, end] = ['<!-- costs: begin -->', '<!-- costs: end -->']
const text = readFileSync(guide, 'utf8')
const [head, tail] = [text.slice(0, text.indexOf(begin) + begin.length), text.slice(text.indexOf(end))]
writeFileSync(guide, `${head}\n\n${table}\n\n${tail}`)

/**
 * Memory that the router uses for a route: `node --expose-gc --conditions=sallyport-source bench/router-memory.ts 1000`.
 *
 * Code is compiled on first use and kept once, however many routes there are. It is measured with a small table and reported
 * separately. Every table is compiled, and one path of each route looked up.
 *
 * @module
 */
import { build, lookup } from './contestants/router.ts'

const SHAPES = [
  ['GET', ''],
  ['POST', ''],
  ['GET', '/new'],
  ['GET', '/settings'],
  ['POST', '/settings'],
  ['GET', '/search'],
  ['GET', '/items/:id'],
  ['PUT', '/items/:id'],
  ['DELETE', '/items/:id'],
  ['GET', '/items/:id/notes/:note'],
] as const

const count = Number(process.argv[2] ?? 1000)

const gc = globalThis.gc ?? (() => process.exit(usage()))

const few = rows(100)
const many = rows(count)
const before = heap()
use(few)
const compiled = heap()
// Code that runs often is compiled again.
use(many)
use(few)
const warm = heap()
use(many)
const after = heap()
process.stdout.write(
  `code, once: ${kibibytes(compiled - before)} KiB, ${kibibytes(warm - before)} when much used\n`,
)
process.stdout.write(`${count} routes: ${Math.round((after - warm) / (many.length - few.length))} B each\n`)

function rows(routes: number): { id: number; method: string; path: string }[] {
  return Array.from({ length: routes }, (_, id) => {
    const [method, path] = SHAPES[id % SHAPES.length] ?? SHAPES[0]
    return { id, method, path: `/part-${Math.floor(id / SHAPES.length)}${path}` }
  })
}

function use(table: ReturnType<typeof rows>): void {
  build(table)
  for (const { method, path } of table) lookup(method, path.replaceAll(':', 'x'))
}

function kibibytes(bytes: number): number {
  return Math.round(bytes / 1024)
}

function heap(): number {
  for (let time = 0; time < 6; time++) gc()
  return process.memoryUsage().heapUsed
}

function usage(): number {
  process.stderr.write('Cannot measure the heap without --expose-gc: start node with it\n')
  return 1
}

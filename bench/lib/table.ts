/**
 * The routes of scenario 3.
 *
 * @module
 */
import type { TableRoute } from '../application.ts'

const subjects = [
  'account',
  'basket',
  'calendar',
  'delivery',
  'event',
  'feedback',
  'gallery',
  'holiday',
  'invoice',
  'journal',
]
const forms = ['', '-archive', '-draft', '-import', '-review']

const shapes = [
  ['GET', '/'],
  ['POST', '/'],
  ['GET', '/items/:id'],
  ['PUT', '/items/:id'],
  ['GET', '/items/:id/comments'],
  ['GET', '/items/:id/comments/:comment'],
] as const

/**
 * Makes 300 routes: 50 first segments, six routes below each.
 *
 * @returns The routes.
 */
export function makeTable(): TableRoute[] {
  const modules = subjects.flatMap((subject) => forms.map((form) => subject + form))
  return modules.flatMap((module, at) =>
    shapes.map(([method, path], shape) => ({
      id: at * shapes.length + shape,
      method,
      path: path === '/' ? `/${module}` : `/${module}${path}`,
    })),
  )
}

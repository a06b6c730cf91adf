/**
 * `sallyport-kit add`.
 *
 * @module
 */
import { partsOf, withNeeds } from '../catalogue.ts'
import type { Kit } from '../kit-source.ts'
import { textsOf } from '../project.ts'
import { planFor, type Project } from './opened.ts'
import type { Proposal } from './proposal.ts'
import { Refusal } from './refusal.ts'
import { treeOf } from './tree.ts'

/** Files that name the parts of a project. */
export const LISTS: readonly string[] = ['parts.ts', 'README.md', '.env.example']

/**
 * @param project Gets the parts.
 * @param kit Has them, in the version of the project.
 * @param names Which.
 * @returns The parts, and those that they need, with their lines in the lists.
 * @throws {Refusal} If the kit is of another version, or a part is unknown or there already.
 */
export function add(project: Project, kit: Kit, names: readonly string[]): Proposal {
  const { base, lock } = project
  if (kit.version !== lock.version)
    throw new Refusal(
      `the project has version ${lock.version} of the kit, and this is ${kit.version}: run "npx sallyport-kit@${lock.version} add ${names.join(' ')}", or upgrade first`,
    )
  const all = partsOf(kit.folder)
  const known = all.map(({ name }) => name)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new Refusal(`there is no part "${unknown}": use ${known.join(', ')}`)
  const present = names.find((name) => lock.parts.includes(name))
  if (present !== undefined) throw new Refusal(`the part "${present}" is there already`)
  const needed = withNeeds(all, [...lock.parts, ...names])
  const parts = known.filter((name) => needed.has(name))
  const added = parts.filter((name) => !lock.parts.includes(name))
  const fresh = treeOf(textsOf(kit.folder, { ...lock, parts }))
  // Only these: the rest may have a security change that this version of the kit has not.
  const come = [...fresh].filter(
    ([path]) => LISTS.includes(path) || added.some((name) => path.startsWith(`parts/${name}/`)),
  )
  const theirs = new Map([...base, ...come])
  const labels = ['yours', 'before', `with ${added.join(', ')}`]
  const others = added.filter((name) => !names.includes(name))
  return {
    title: { done: `Added ${added.join(', ')}.`, dry: `Would add ${added.join(', ')}.` },
    step: {
      changes: planFor(project, { base, theirs, labels }),
      lock: { ...lock, parts },
      base: theirs,
    },
    files: new Map(),
    security: [],
    notes: others.length === 0 ? [] : [`Needed by what you named: ${others.join(', ')}.`],
  }
}

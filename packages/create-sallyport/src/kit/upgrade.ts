/**
 * `sallyport-kit upgrade`.
 *
 * @module
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { partsOf, withNeeds } from '../catalogue.ts'
import { appSpecifier, type Framework, frameworkOf } from '../framework.ts'
import type { Kit } from '../kit-source.ts'
import { isOfLanguage, languagesOf } from '../languages.ts'
import { languagesLeftOut, ownText, textsOf } from '../project.ts'
import type { Lock } from '../record.ts'
import type { SecurityChange } from '../security.ts'
import { mergeFile } from './merge.ts'
import { planFor, type Project } from './opened.ts'
import type { Change } from './plan.ts'
import type { Proposal } from './proposal.ts'
import { Refusal } from './refusal.ts'
import { isBinary, isSame, type Tree, treeOf } from './tree.ts'

/**
 * @param project Is upgraded.
 * @param kit To this version.
 * @param framework Version of the framework, or path of a packed one or of a checkout. Default: the version of the kit; a packed one stays.
 * @returns Every change of the kit since, with the edits of the project.
 * @throws {Refusal} If the packed framework of the project has no `sallyport-app`, which came later.
 */
export function upgrade(project: Project, kit: Kit, framework?: string): Proposal {
  const { base, lock } = project
  const all = partsOf(kit.folder)
  const wanted = withNeeds(all, lock.parts)
  const parts = all.map(({ name }) => name).filter((name) => wanted.has(name))
  const { specifier, files } = framework === undefined ? sameFramework(project, kit) : frameworkOf(framework)
  const known = languagesOf(kit.folder)
  const languages = lock.languages.filter((tag) => known.includes(tag))
  const next = { name: lock.name, parts, languages, framework: specifier, version: kit.version }
  const theirs = treeOf(textsOf(kit.folder, next))
  const labels = ['yours', `kit ${lock.version}`, `kit ${kit.version}`]
  const changes = planFor(project, { base, theirs, labels })
  const missing = missingChanges(lock, kit)
  const way = `from version ${lock.version} of the kit to ${kit.version}`
  return {
    title: { done: `Upgraded ${way}.`, dry: `Would upgrade ${way}.` },
    step: { changes, base: theirs, lock: { ...next, security: kit.changes.map(({ id }) => id) } },
    files,
    security: missing.map((change) => settled(change, changes)),
    notes: aboutParts(lock.parts, parts),
  }
}

function sameFramework({ folder, lock }: Project, kit: Kit): Framework {
  if (!lock.framework.startsWith('file:')) return frameworkOf(`^${kit.version}`)
  const app = appSpecifier(lock.framework).slice('file:'.length)
  if (!existsSync(join(folder, app)))
    throw new Refusal(
      `this version of the kit needs ${app}, too: pass --framework with a version, a packed file or a checkout`,
    )
  return frameworkOf(lock.framework)
}

/**
 * @param lock What the project has.
 * @param kit Has more.
 * @returns The security changes of its files that it lacks.
 */
export function missingChanges(lock: Lock, kit: Kit): readonly SecurityChange[] {
  const left = languagesLeftOut(kit.folder, lock)
  return kit.changes.filter(
    ({ id, files }) =>
      !lock.security.includes(id) && Object.keys(files).some((path) => isThere(path, lock, left)),
  )
}

// A file outside the parts, or of a part that the project has, in no language that it has not.
function isThere(path: string, { parts }: Lock, left: readonly string[]): boolean {
  const [top, name = ''] = path.split('/')
  return (top !== 'parts' || parts.includes(name)) && !isOfLanguage(path, left)
}

/**
 * @param project Gets one change.
 * @param kit Has it.
 * @param id Which.
 * @returns The change alone. The project stays at its version.
 * @throws {Refusal} If the change is unknown, there already, or of no file of the project.
 */
export function applyOnly(project: Project, kit: Kit, id: string): Proposal {
  const { base, lock } = project
  const ids = kit.changes.map((each) => each.id)
  if (!ids.includes(id))
    throw new Refusal(`there is no security change "${id}": ${ids.join(', ') || 'this version has none'}`)
  if (lock.security.includes(id)) throw new Refusal(`${id} is in this project already`)
  const change = missingChanges(lock, kit).find((each) => each.id === id)
  if (change === undefined) throw new Refusal(`${id} is about parts that this project does not have`)
  const [before, after] = sidesOf(change, lock, languagesLeftOut(kit.folder, lock))
  const labels = ['yours', `before ${id}`, id]
  const changes = planFor(project, { base: before, theirs: after, labels })
  return {
    title: { done: `Applied ${id}: ${change.title}.`, dry: `Would apply ${id}: ${change.title}.` },
    step: {
      changes,
      base: patched(base, before, after),
      lock: { ...lock, security: [...lock.security, id].toSorted() },
    },
    files: new Map(),
    security: [settled(change, changes)],
    notes: [],
  }
}

function sidesOf({ files }: SecurityChange, lock: Lock, left: readonly string[]): readonly [Tree, Tree] {
  const here = Object.entries(files).filter(([path]) => isThere(path, lock, left))
  const side = (which: 'before' | 'after'): Tree =>
    new Map(
      here.flatMap(([path, sides]) => {
        const text = sides[which]
        return text === null ? [] : [[path, Buffer.from(ownText(path, Buffer.from(text), left))] as const]
      }),
    )
  return [side('before'), side('after')]
}

// What the kit would have written with this change. Where that is not certain, the next upgrade merges once more.
function patched(base: Tree, before: Tree, after: Tree): Tree {
  const next = new Map(base)
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    const [own, old, now] = [base.get(path), before.get(path), after.get(path)]
    if (isSame(own, old)) {
      if (now === undefined) next.delete(path)
      else next.set(path, now)
    } else if (own !== undefined && old !== undefined && now !== undefined && !isBinary(now)) {
      const merged = mergeFile(path, { ours: own, base: old, theirs: now }, ['', '', ''])
      if (!merged.hasConflicts) next.set(path, merged.contents)
    }
  }
  return next
}

function settled(
  { id, title, files }: SecurityChange,
  changes: readonly Change[],
): Proposal['security'][number] {
  const open = changes.filter(({ outcome }) => ['conflict', 'beside', 'kept', 'absent'].includes(outcome))
  const paths = open.map(({ kitPath }) => kitPath)
  return { id, title, isSettled: !Object.keys(files).some((path) => paths.includes(path)) }
}

function aboutParts(before: readonly string[], after: readonly string[]): readonly string[] {
  const gone = before.filter((name) => !after.includes(name))
  const come = after.filter((name) => !before.includes(name))
  return [
    ...(gone.length === 0 ? [] : [`The kit has these parts no more: ${gone.join(', ')}.`]),
    ...(come.length === 0 ? [] : [`These parts are needed from now on, and were added: ${come.join(', ')}.`]),
  ]
}

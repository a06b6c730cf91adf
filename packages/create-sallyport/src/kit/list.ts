/**
 * `sallyport-kit list`.
 *
 * @module
 */
import { partsOf } from '../catalogue.ts'
import type { Kit } from '../kit-source.ts'
import { summaryOf } from '../part-summary.ts'
import type { Project } from './opened.ts'

/** A part that a project has or can have. */
export interface PartLine {
  readonly name: string
  /** Whether it is in the project. */
  readonly isThere: boolean
  /** Whether it is of the kit, and not the project's own. */
  readonly isOfKit: boolean
  readonly needs: readonly string[]
  /** The first sentence of its README. */
  readonly summary: string
}

/**
 * @param project Has some parts.
 * @param kit Has more.
 * @returns All of them: those of the project first.
 */
export function list({ folder, lock }: Project, kit: Kit): readonly PartLine[] {
  const here = partsOf(folder)
  const names = here.map(({ name }) => name)
  const others = partsOf(kit.folder).filter(({ name }) => !names.includes(name))
  return [
    ...here.map(({ name, needs }) => ({
      name,
      isThere: true,
      isOfKit: lock.parts.includes(name),
      needs,
      summary: summaryOf(folder, name),
    })),
    ...others.map(({ name, needs }) => ({
      name,
      isThere: false,
      isOfKit: true,
      needs,
      summary: summaryOf(kit.folder, name),
    })),
  ]
}

/**
 * @param parts Parts.
 * @returns A line for each.
 */
export function describeList(parts: readonly PartLine[]): string {
  const width = Math.max(...parts.map(({ name }) => name.length))
  const lines = (chosen: readonly PartLine[]): string =>
    chosen
      .map(({ name, needs, summary }) => {
        const also = needs.length === 0 ? '' : ` Needs ${needs.join(', ')}.`
        return `  ${name.padEnd(width)}  ${summary}${also}\n`
      })
      .join('')
  const groups = [
    ['In this project', parts.filter(({ isThere, isOfKit }) => isThere && isOfKit)],
    ['Your own', parts.filter(({ isOfKit }) => !isOfKit)],
    ['Can be added', parts.filter(({ isThere }) => !isThere)],
  ] as const
  const full = groups.filter(([, chosen]) => chosen.length > 0)
  return full.map(([title, chosen]) => `${title}\n${lines(chosen)}`).join('\n')
}

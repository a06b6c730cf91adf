/**
 * One file that both the kit and the project changed.
 *
 * @module
 */
import { orderIn, partsIn, withoutParts, withParts } from '../parts-list.ts'
import { type Merged, mergeText, type Sides } from './git.ts'
import { mergeManifest } from './manifest.ts'
import { withoutReturns } from './tree.ts'

/**
 * @param path Path of the file in the kit.
 * @param sides Its texts. None is binary.
 * @param labels What the markers of conflicts call them.
 * @returns The merged file.
 */
export function mergeFile(path: string, sides: Sides, labels: readonly string[]): Merged {
  const plain = {
    ours: withoutReturns(sides.ours),
    base: withoutReturns(sides.base),
    theirs: withoutReturns(sides.theirs),
  }
  const merged = mergePlain(path, plain, labels)
  if (plain.ours === sides.ours) return merged
  return { ...merged, contents: Buffer.from(merged.contents.toString().replaceAll('\n', '\r\n')) }
}

function mergePlain(path: string, sides: Sides, labels: readonly string[]): Merged {
  if (path === 'package.json') return { contents: mergeManifest(sides), hasConflicts: false }
  return mergeText(path === 'parts.ts' ? withSameParts(sides) : sides, labels)
}

// Lines that stand beside each other are a conflict for git. So the parts that the kit adds and takes away are edited on all sides,
// and git merges the rest.
function withSameParts({ ours, base, theirs }: Sides): Sides {
  const [before, after] = [partsIn(base.toString()), partsIn(theirs.toString())]
  const gone = before.filter(({ name }) => !after.some((part) => part.name === name)).map(({ name }) => name)
  const come = after.filter(({ name }) => !before.some((part) => part.name === name))
  const order = orderIn(theirs.toString())
  const edited = (side: Buffer): Buffer => {
    const text = withoutParts(side.toString(), gone)
    const present = new Set(partsIn(text).map(({ name }) => name))
    return Buffer.from(
      withParts(
        text,
        come.filter(({ name }) => !present.has(name)),
        order,
      ),
    )
  }
  return { ours: edited(ours), base: edited(base), theirs }
}

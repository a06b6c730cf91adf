/**
 * What a part adds, in the words of its README.
 *
 * @module
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * @param folder Folder of the kit or of a project.
 * @param name Name of a part.
 * @returns The first sentence of its README, in plain text; empty if it has none.
 */
export function summaryOf(folder: string, name: string): string {
  const text = readmeOf(folder, name)
  const [, paragraph = ''] = /^# .*\n\n((?:.+\n)+)/.exec(text) ?? []
  const plain = paragraph.replaceAll('\n', ' ').replaceAll(/[`*]/g, '')
  const [sentence = ''] = /^.*?[.:](?= |$)/.exec(plain.trim()) ?? []
  return sentence.replace(/:$/, '.')
}

// A part of the project need not have one.
function readmeOf(folder: string, name: string): string {
  try {
    return readFileSync(join(folder, 'parts', name, 'README.md'), 'utf8')
  } catch {
    return ''
  }
}

/** Commands, whose words are checked wherever a test runs one. @module */
import assert from 'node:assert/strict'
import type { Clock } from 'sallyport'
import type { CommandEnd } from 'sallyport-app/commands'
import { runCommand } from '../../commands.ts'

const NAMES = 'Mode|Origin|Base path|Listens on|Trusted proxies|Mails|Switched on|Databases|Usage'
// A name and its value, what comes before a list, what is copied, and the code with its time.
const NO_SENTENCE = new RegExp(`^(?:(?:${NAMES}): .*[^.]|.*:| {2}.*|\\d{6} {2}\\(.*\\)|)$`)

/** @returns How it ended. Each sentence that it prints ends with one full stop. */
export async function runPrinted(
  line: readonly string[],
  variables: Readonly<Record<string, string | undefined>>,
  clock: Clock,
): Promise<CommandEnd> {
  const end = await runCommand(line, variables, clock)
  assert.match(end.text, /[^\n]\n$/, line.join(' '))
  if (line.includes('--json')) {
    assert.ok(Array.isArray((JSON.parse(end.text) as { lines: unknown }).lines))
    return end
  }
  for (const text of end.text.slice(0, -1).split('\n'))
    if (!NO_SENTENCE.test(text)) assert.match(text, /^\S.*[^.]\.$/, line.join(' '))
  return end
}

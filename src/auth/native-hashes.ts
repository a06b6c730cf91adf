import type * as Argon2 from '@node-rs/argon2'
import type * as Bcrypt from '@node-rs/bcrypt'
import { argon2Options, bcryptCost, type HashFunction } from './hash-function.ts'

// @node-rs/argon2 declares its algorithms as an ambient const enum, which cannot be imported: 2 is Argon2id.
const ARGON2ID = 2

/** @returns Argon2 of `@node-rs/argon2`, on threads of its own. */
export async function loadArgon2(): Promise<HashFunction> {
  const { hash, verify } = (await load('@node-rs/argon2')) as typeof Argon2
  return {
    implementation: 'native',
    hash: (password, parameters) => hash(password, { algorithm: ARGON2ID, ...argon2Options(parameters) }),
    verify: (password, stored) => verify(stored, password),
  }
}

/** @returns Bcrypt of `@node-rs/bcrypt`, on threads of its own. */
export async function loadBcrypt(): Promise<HashFunction> {
  const { hash, verify } = (await load('@node-rs/bcrypt')) as typeof Bcrypt
  return {
    implementation: 'native',
    hash: (password, parameters) => hash(password, bcryptCost(parameters)),
    verify,
  }
}

// Bundlers leave it to the platform: what they would find holds native code, which they cannot bundle.
function load(name: string): Promise<unknown> {
  return import(/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ name)
}

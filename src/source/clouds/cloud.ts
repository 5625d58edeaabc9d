import type { VirtualZarrError } from '../../errors.ts'
import type { HttpAnswer } from '../http/exchange.ts'
import type { LoadKey } from './kept-key.ts'
import type { CredentialSettings } from './settings.ts'

// What one object store's protocol adds to plain HTTP. A further cloud is one module that makes a `Cloud`, and its line in registry.ts.

/** A kind of object store: which locations are its own, and how it is spoken to. */
export interface Cloud {
  /** The word in front of its settings, and the scheme of its canonical URLs. */
  readonly name: 's3' | 'gs' | 'az'
  /** What users may write, with the colon; each names the same kind of place. */
  readonly schemes: readonly string[]
  /** The kinds of credentials that it takes. */
  readonly kinds: readonly CredentialSettings['kind'][]
  /** The one URL of a location as somebody wrote it; throws `invalid-request` for what names no object. */
  parse(text: string): URL
  /** A location as fsspec, and documents that are written for it, spell it. */
  spell(location: URL): string
  /** Its own chain of credentials, by the package that the cloud publishes for it. */
  chain(): LoadKey
  /** What it must know between requests (regions, clocks) lives as long as what this returns. */
  open(): CloudProtocol
}

/** How the objects of a store are asked for. A location is the user's URL; only what is asked over HTTP is made here. */
export interface CloudProtocol {
  /** Where an object is; without anything secret. */
  objectUrl(location: URL, place: CloudPlace): URL
  /** Where a folder's names are listed, one page; without anything secret. */
  listUrl(folder: URL, place: CloudPlace, token: string | undefined): URL
  /** Headers, and where it can't be otherwise another URL, that prove who asks. It is called for anonymous requests, too. */
  sign(request: Unsigned, place: CloudPlace, key: CloudKey | undefined): Signed
  /** An answer in HTTP's own words, where the store says in others which version it is of. */
  understand?(answer: HttpAnswer): HttpAnswer
  /** What an answer means that brings nothing of an object (not 2xx, 304, 412 or 416). */
  judge(failure: Failure, location: URL, place: CloudPlace): Verdict
  /** The names of one page, relative to the folder; those of folders end in `/`. */
  parsePage(text: string, folder: URL): ListingPage
}

/** A place where objects lie, as the operator describes it. */
export interface CloudPlace {
  /** An origin and perhaps a path, which the operator set. */
  readonly endpoint?: URL | undefined
  readonly region?: string | undefined
  readonly pathStyle?: boolean | undefined
  readonly requesterPays?: boolean | undefined
  /** Who pays then, in Google Cloud. */
  readonly project?: string | undefined
}

/** What proves who asks. */
export type CloudKey =
  | {
      readonly kind: 'aws'
      readonly accessKeyId: string
      readonly secretAccessKey: string
      readonly sessionToken?: string | undefined
    }
  | {
      readonly kind: 'bearer'
      readonly token: string
      /** The project that it belongs to, where it tells. */
      readonly project?: string | undefined
    }
  | { readonly kind: 'sas'; readonly token: string }
  | { readonly kind: 'shared-key'; readonly accountKey: string }

export interface Unsigned {
  readonly location: URL
  /** What `objectUrl` or `listUrl` made of it. */
  readonly url: URL
  readonly method: 'GET' | 'HEAD'
  readonly headers: Readonly<Record<string, string>>
}

export interface Signed {
  readonly url: URL
  /** All of the request's headers. */
  readonly headers: Readonly<Record<string, string>>
}

/** An answer without content, and what its body says. */
export interface Failure {
  /** Its URL is the location: what is thrown names that. */
  readonly answer: HttpAnswer
  /** What was asked, over HTTP. */
  readonly asked: URL
  /** At most 64 KiB; empty for HEAD. */
  readonly text: string
}

/** What is to be done about a failure. */
export type Verdict =
  /** The object, and only the object, does not exist. */
  | { readonly kind: 'absent' }
  /**
   * `again`: the protocol has learned something, ask once more. `expired`: the key is no longer taken, ask with a new one. The
   * error is what is thrown when that does not help.
   */
  | { readonly kind: 'error' | 'again' | 'expired'; readonly error: VirtualZarrError }

export interface ListingPage {
  readonly names: readonly string[]
  /** Of the next page. */
  readonly token: string | undefined
}

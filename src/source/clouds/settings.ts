import type { Cloud, CloudPlace } from './cloud.ts'

/** What an operator says of object stores (CLOUD-1). */
export interface CloudSettings {
  /** Where the objects of a cloud lie, when they don't lie at the cloud itself. */
  readonly places: Readonly<Partial<Record<Cloud['name'], CloudPlace>>>
  /** Of these, the longest prefix that a location is below counts; what it leaves out of a place is as above. */
  readonly prefixes: readonly PrefixSettings[]
}

export interface PrefixSettings {
  /** `s3://bucket/folder/`; whole path segments. */
  readonly prefix: string
  readonly place: CloudPlace
  readonly credentials: CredentialSettings
}

/** What the operator gives to prove who asks. */
export type CredentialSettings =
  | { readonly kind: 'anonymous' }
  /** The cloud's own chain: environment, profile, role. */
  | { readonly kind: 'default' }
  | {
      readonly kind: 'static'
      readonly accessKeyId: SecretText
      readonly secretAccessKey: SecretText
      readonly sessionToken?: SecretText | undefined
    }
  | { readonly kind: 'bearer' | 'sas'; readonly token: SecretText }
  /** `key`: the JSON file that Google gives for it. */
  | { readonly kind: 'service-account'; readonly key: SecretText }
  | { readonly kind: 'shared-key'; readonly accountKey: SecretText }

/** A secret: itself, or a file that holds it now and may hold another one later. */
export type SecretText = { readonly text: string } | { readonly file: string }

export const NO_CLOUD_SETTINGS: CloudSettings = { places: {}, prefixes: [] }

/** What each client's snippet has of an API key. */
export interface KeyWords {
  /** Lines before Python's other imports and before what reads. */
  readonly pythonImport: readonly string[]
  readonly python: readonly string[]
  readonly storageOptions: string
  readonly tensorstore: string
  readonly zarrita: string
  readonly gdal: string
  readonly r: readonly string[]
  readonly curl: string
}

export const WITHOUT_KEY: KeyWords = {
  pythonImport: [],
  python: [],
  storageOptions: '',
  tensorstore: '',
  zarrita: '',
  gdal: '',
  r: [],
  curl: '',
}

/** The key is taken from the environment, so that it is not in what people pass on. */
export const WITH_KEY: KeyWords = {
  pythonImport: ['import os', ''],
  python: ['key = f"Bearer {os.environ[\'API_KEY\']}"'],
  storageOptions: ', storage_options={"headers": {"Authorization": key}}',
  tensorstore: ', "headers": [f"Authorization: {key}"]',
  zarrita: ', { overrides: { headers: { Authorization: "Bearer " + process.env.API_KEY } } }',
  gdal: 'GDAL_HTTP_HEADERS="Authorization: Bearer $API_KEY" ',
  r: ['Sys.setenv(GDAL_HTTP_HEADERS = paste("Authorization: Bearer", Sys.getenv("API_KEY")))'],
  curl: ' -H "Authorization: Bearer $API_KEY"',
}

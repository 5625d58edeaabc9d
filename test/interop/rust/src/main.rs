//! Reads what it is told with zarrs over object_store. In: one JSON document, `[{"id", "url", "paths"}]`. Out: for each
//! `{"id", "arrays": {path: {"sha256"} or {"error"}}, "listed"}`: hashes as those of the oracle, and how many documents the
//! store lists.

use std::{collections::BTreeMap, error::Error, io, sync::Arc};

use futures::TryStreamExt;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use zarrs::array::{Array, ArrayBytes};
use zarrs_object_store::AsyncObjectStore;
use zarrs_object_store::object_store::{
    ClientOptions, ObjectStore, RetryConfig, http::HttpBuilder,
};

#[derive(Deserialize)]
struct Case {
    id: String,
    url: String,
    paths: Vec<String>,
}

#[derive(Serialize)]
struct Answer {
    id: String,
    arrays: BTreeMap<String, Outcome>,
    listed: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Outcome {
    Sha256(String),
    Error(String),
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let cases: Vec<Case> = serde_json::from_reader(io::stdin())?;
    let mut answers = Vec::new();
    for case in cases {
        answers.push(read_case(case).await?);
    }
    serde_json::to_writer(io::stdout(), &answers)?;
    Ok(())
}

async fn read_case(case: Case) -> Result<Answer, Box<dyn Error>> {
    // A failure is an answer: nothing here is asked for twice.
    let retry = RetryConfig {
        max_retries: 0,
        ..RetryConfig::default()
    };
    let http = HttpBuilder::new()
        .with_url(&case.url)
        .with_client_options(ClientOptions::new().with_allow_http(true))
        .with_retry(retry)
        .build()?;
    let listed = http.list(None).try_collect::<Vec<_>>().await?.len();
    let store = Arc::new(AsyncObjectStore::new(http));
    let mut arrays = BTreeMap::new();
    for path in case.paths {
        let outcome = match read_array(store.clone(), &path).await {
            Ok(hash) => Outcome::Sha256(hash),
            Err(error) => Outcome::Error(error.to_string()),
        };
        arrays.insert(path, outcome);
    }
    Ok(Answer {
        id: case.id,
        arrays,
        listed,
    })
}

async fn read_array<S>(
    store: Arc<AsyncObjectStore<S>>,
    path: &str,
) -> Result<String, Box<dyn Error>>
where
    S: ObjectStore,
{
    let array = Array::async_open(store, &format!("/{path}")).await?;
    let values = array
        .async_retrieve_array_subset::<ArrayBytes>(&array.subset_all())
        .await?;
    Ok(match values {
        ArrayBytes::Fixed(bytes) => hex(&bytes),
        other => {
            let (bytes, offsets) = other.into_variable()?.into_parts();
            let texts = offsets
                .windows(2)
                .map(|ends| std::str::from_utf8(&bytes[ends[0]..ends[1]]))
                .collect::<Result<Vec<_>, _>>()?;
            hex(serde_json::to_string(&texts)?.as_bytes())
        }
    })
}

fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An S3 server (moto) that checks signatures: prints port, key id and secret key, then, when standard
input ends, name and SHA-256 of each object of its bucket."""
import hashlib
import json
import logging
import os
import sys

# Four calls without rights: a user, its policy, its key, the bucket. After these all is checked.
os.environ["INITIAL_NO_AUTH_ACTION_COUNT"] = "4"

import boto3
from moto.server import ThreadedMotoServer

logging.getLogger("werkzeug").setLevel(logging.ERROR)
server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
_, port = server.get_host_and_port()
url = "http://127.0.0.1:%d" % port


def client(service, key="none", secret="none"):
    return boto3.client(
        service, region_name="eu-central-1", endpoint_url=url, aws_access_key_id=key,
        aws_secret_access_key=secret)


iam = client("iam")
iam.create_user(UserName="agent")
policy = {"Version": "2012-10-17",
          "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}
iam.put_user_policy(UserName="agent", PolicyName="all", PolicyDocument=json.dumps(policy))
key = iam.create_access_key(UserName="agent")["AccessKey"]
client("s3").create_bucket(
    Bucket="bundles", CreateBucketConfiguration={"LocationConstraint": "eu-central-1"})
print(port, key["AccessKeyId"], key["SecretAccessKey"], flush=True)
sys.stdin.read()
s3 = client("s3", key["AccessKeyId"], key["SecretAccessKey"])
for item in s3.list_objects_v2(Bucket="bundles").get("Contents", []):
    body = s3.get_object(Bucket="bundles", Key=item["Key"])["Body"].read()
    print(item["Key"], hashlib.sha256(body).hexdigest(), flush=True)
server.stop()

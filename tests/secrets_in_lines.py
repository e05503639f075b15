"""Secrets and identities of many kinds, written as programs print them; each is made up anew."""

from __future__ import annotations

import random
import string
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_RANDOM = random.Random(20)  # noqa: S311  (nothing is protected by it)
_WORD, _HEX = string.ascii_letters + string.digits, "0123456789abcdef"
_UPPER, _LOWER = string.ascii_uppercase + string.digits, string.ascii_lowercase + string.digits
# What a secret is made of.
_SIGNS = {"word": _WORD, "hex": _HEX, "upper": _UPPER, "lower": _LOWER}
_PREFIXES = """
hf_ api_org_ sk-or-v1- sk-svcacct- LTAI5t AKID AKLT ALTAK- bce-v3/ALTAK- glrt- gldt- glptt-
ghs_ gho_ ghu_ xoxp- xoxe-1- GOCSPX- npm_ pypi-AgEIcHlwaS dckr_oat_ tgp_v1_ doo_v1_ hvb.
tskey-auth- dp.pt. esecret_ sbp_ figd_ shpat_ lsv2_pt_ sntrys_ phc_ rubygems_ glsa_ NRAK-
PMAK- CCIPAT_ pul- xai- pplx- jina_ tvly- rpa_ whsec_ xkeysib- fw_ csk- pscale_tkn_
"""
_IDENTIFIERS = ("ASIA", "AROA", "AKIA")  # of sixteen capitals and digits more
# Signs and length of a secret, and a line that it stands in: ``{}`` is the secret.
_LINES = r"""
word 24 KAGGLE_KEY={}
hex 32 export KAGGLE_KEY={}
hex 32 {{"username":"u","key":"{}"}}
hex 40 "key": "{}"
word 32 wandb_key='{}'
word 32 wandb.login(key="{}")
word 20 ['train.py', '--api_key', '{}', '--lr', '1']
word 20 ["--hf_token", "{}"]
word 20 sys.argv: ['a.py', '--password={}']
word 14 docker login -u bob -p {} registry.example.com
word 14 podman login -p {} quay.io
word 24 cookies={{'sid': '{}', 'theme': 'dark'}}
word 24 'cookies': {{'SESSDATA': '{}'}}
word 24 cookies = {{"a": "b", "login": "{}"}}
word 24 <RequestsCookieJar[<Cookie session={} for x.com/>]>
word 24 Set-Cookie: id={}; HttpOnly
word 24 sessionid={}; Path=/
word 12 mysql+pymysql://root:{}@10.0.0.8:3306/optuna
word 12 mysql://root:a@{}@db:3306/optuna
word 12 root:{}@tcp(10.0.0.8:3306)/optuna
word 12 optuna:{}@db.internal:3306/optuna
word 12 postgresql://u:{}@db/x
word 12 redis://:{}@cache:6379/0
word 12 mongodb+srv://u:{}@c0.mongodb.net
word 12 amqp://u:{}@mq//
word 12 redis-cli -h cache -a {} ping
word 12 curl -u bob:{} https://example.com
word 12 mysqldump -uroot -p{} db
word 12 MYSQL_PWD={} mysql
word 12 PGPASSWORD={} psql
word 12 password: {}
word 12 passwd={}
word 12 "password": "{}"
word 12 \"password\": \"{}\"
word 12 'passphrase': '{}'
word 12 password = {}
word 12 db_pass={}
word 12 SMTP_PASS={}
word 12 Namespace(password='{}', lr=1)
word 12 login bob password {}
word 12 IDENTIFIED BY '{}'
word 12 <password>{}</password>
word 12 密码：{}
word 12 密码是{}
word 20 口令: {}
word 20 密钥={}
word 20 访问令牌：{}
word 30 os.environ["WANDB_API_KEY"] = "{}"
word 30 os.environ['HF_TOKEN']='{}'
word 30 os.environ.setdefault("OPENAI_API_KEY", "{}")
word 30 'HF_TOKEN': '{}',
word 30 environ({{'MY_SECRET': '{}'}})
word 30 login(token="{}")
word 30 token={}
word 30 token: {}
word 30 hub_token='{}'
word 30 use_auth_token="{}"
word 30 --token {}
word 30 --token={}
word 30 --hub_token {} \
word 30 --wandb-key {}
word 30 --secret "{}"
word 30 -e HF_TOKEN={}
word 30 --build-arg API_KEY={}
word 30 X-API-Key: {}
word 30 api-key: {}
word 30 x-auth-token: {}
word 30 PRIVATE-TOKEN: {}
hex 32 Ocp-Apim-Subscription-Key: {}
word 30 {{"Authorization": "Bearer {}"}}
word 30 'authorization': 'Basic {}='
word 30 headers={{'Authorization': 'token {}'}}
word 30 -H "Authorization: Bearer {}"
word 30 Incorrect API key provided: {}
word 30 Invalid token {}
word 30 your token is {}
word 30 secret access key: {}
word 30 aws_session_token={}
word 30 "secretAccessKey": "{}"
word 30 "accessKeySecret": "{}"
word 30 "SecretAccessKey": "{}",
word 40 SharedAccessKey={}=
word 40 DefaultEndpointsProtocol=https;AccountKey={}==
word 30 https://x.blob.core.windows.net/c?sp=r&sig={}%3D
word 30 https://oss-cn.aliyuncs.com/b?OSSAccessKeyId=x&Signature={}
word 30 https://b.oss.aliyuncs.com/k?x-oss-signature={}
word 30 https://b.cos.ap.myqcloud.com/k?q-signature={}
word 30 https://oapi.dingtalk.com/robot/send?access_token={}
word 30 https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key={}
word 30 https://open.feishu.cn/open-apis/bot/v2/hook/{}
word 24 https://hooks.slack.com/services/T0001/B0001/{}
word 30 https://discord.com/api/webhooks/1/{}
word 30 https://api.example.com/v1?api_key={}
word 30 https://huggingface.co/x?token={}
word 30 http://10.0.0.3:8888/?token={}
word 30 git+https://{}@github.com/a/b.git
word 30 https://oauth2:{}@gitlab.com/a/b.git
word 30 https://bob:{}@pypi.example.com/simple
word 30 s3://AK:{}@bucket/x
hex 40 wandb: API key {}
hex 40 WANDB_API_KEY {}
hex 32 api_key: {}
word 30 client_secret={}
word 30 "client_secret":"{}"
word 30 "private_key_id": "{}"
word 30 refresh_token={}
word 30 id_token={}
word 30 jwt={}
word 30 auth_key = '{}'
word 30 encryption_key: {}
word 30 license_key={}
word 30 service_key="{}"
word 30 SUPABASE_SERVICE_KEY={}
word 30 FEISHU_SECRET={}
word 30 GITHUB_PAT={}
word 30 SENTRY_DSN=https://{}@o1.ingest.sentry.io/1
word 30 credentials='{}'
word 30 eyJhbGciOiJIUzI1NiJ9.eyJzdWIi{}.abc
word 33 bot1234567890:AA{}
word 60 ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA{} bob@laptop
word 60 "private_key": "-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n"
word 16 {{"auths": {{"r.io": {{"auth": "{}="}}}}}}
hex 32 ACCOUNT_SID AC{}
word 14 sshpass -p '{}' ssh gpu
hex 32 ZHIPU 0123456789abcdef0123456789abcdef.{}
"""
# What must not be left, and the line.
_PEOPLE = """
alice|user alice
alice|for user alice: quota exceeded
alice|by user 'alice'
alice|User "alice" does not exist
alice|user alice lacks permission
alice|用户 alice 没有权限
alice|"username":"alice"
alice|username: alice
alice|UserId=alice(1000) GroupId=alice(1000)
alice|owner=alice
alice|sudo -u alice python train.py
alice|su - alice
alice|docker login -u alice -p hunter2hunter2 registry.example.com
alice|login -u alice
alice|podman login --username=alice quay.io
alice|mysql -h db -u alice -phunter2 runs
alice|ssh -l alice gpu
alice|-rw-r--r-- 1 alice alice 12 Jan 1 00:00 x
alice|drwxr-xr-x. 2 alice staff 4096 x
alice|alice@gpu17:~$ python train.py
alice|Permission denied: '/home/alice/.cache'
alice|uid=1000(alice)
alice|alice.lee@example.com
gpu17|ssh: connect to host gpu17 port 22: Connection refused
trainbox|ssh: connect to host trainbox port 22: No route to host
gpu17|failed on node gpu17
trainbox|OOM on node trainbox.
gpu17|Process 3 on host gpu17 died
gpu17|The client socket has failed to connect to [gpu17]:29500
trainbox|connect to [trainbox]:29500 (errno: 110)
gpu17|The IPv4 network addresses of (gpu17, 29500) cannot be retrieved
gpu17|WORLD INFO DICT: {'gpu17': [0, 1], 'gpu18': [0, 1]}
trainbox|world_info={'trainbox': [0, 1, 2, 3]}
node-3|{'node-3': [0, 1]}
trainbox|global_rank_mapping=defaultdict(<class 'list'>, {'trainbox': [0, 1]})
gpu17|BatchHost=gpu17 NumNodes=1
login1|AllocNode:Sid=login1:1234
gpu|NodeList=gpu[01-04]
gpu17|slurmstepd: error: *** STEP 12.0 ON gpu17 CANCELLED AT
gpu17|slurmstepd: error: *** JOB 12 ON gpu17 CANCELLED AT
gpu|srun: error: gpu[01-02]: tasks 0-15: Killed
gpu17|[gpu17:12345] *** Process received signal ***
trainbox|[trainbox:12345] *** Process received signal ***
gpu17|gpu17: Traceback (most recent call last):
worker-0|worker-0: [2024-01-01] [INFO] launch
gpu17|host      : gpu17
gpu17|ssh: Could not resolve hostname gpu17: Name or service not known
gpu17|Connection closed by remote peer gpu17<51234>
gpu17|rdzv_endpoint=gpu17:29500
gpu17|tcp://gpu17:29500
gpu17|connect to gpu17:29500
gpu17|Host key verification failed for host gpu17
10.3.4.5|ip=10.3.4.5
10.3.4.5|[10.3.4.5]:29500
fileserver|\\\\fileserver\\share\\x.py
138|手机号 13812345679
159|电话：15912345677
138|user 13812345679 logged in
138|"phone": "13812345679"
138|+86 138 1234 5679
138|138-1234-5679
186|联系 18612345671。
"""
_IDS = (
    "身份证号 {}", "id_card: {}", '"idcard": "{}"', "{}", "证件号{}，请核对", "citizen {} found."
)  # fmt: skip
_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)


def secrets_in_lines() -> Iterator[tuple[str, str]]:
    """Yield texts, each with what may not be left of it."""
    for prefix in _PREFIXES.split():
        secret = _some(_WORD, 30)
        yield f"using {prefix}{secret} now", secret
    for prefix in _IDENTIFIERS:
        secret = _some(_UPPER, 16)
        yield f"using {prefix}{secret} now", secret
    for line in _LINES.strip().splitlines():
        signs, count, text = line.split(" ", 2)
        secret = _some(_SIGNS[signs], int(count))
        yield text.format(secret), secret
    for line in _PEOPLE.strip().splitlines():
        secret, _, text = line.partition("|")
        yield text, secret
    for text in _IDS:
        secret = _citizen()
        yield text.format(secret), secret


def _some(signs: str, count: int) -> str:
    """As an issuer makes them: with a digit and a letter among its signs."""
    made = "".join(_RANDOM.choice(signs) for _ in range(count - 2))
    return f"{made}{_RANDOM.choice('23456789')}{_RANDOM.choice(signs[-16:])}"


def _citizen() -> str:
    """A number that nobody has: of a place that is none, with the digit that checks it."""
    born = f"19{_RANDOM.randint(50, 99)}{_RANDOM.randint(1, 12):02}{_RANDOM.randint(1, 28):02}"
    number = f"999{_RANDOM.randint(100, 999)}{born}{_RANDOM.randint(100, 999)}"
    total = sum(int(sign) * weight for sign, weight in zip(number, _WEIGHTS, strict=True))
    return number + "10X98765432"[total % 11]

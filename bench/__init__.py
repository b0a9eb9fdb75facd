"""What Segue costs, each figure beside a plain baseline measured in the same run."""
